package footage

import (
	"context"
	"fmt"
	"strings"
)

// Talk makes a black film with steady noise. The times in saidMs are pairs of start and end: a voice is heard from the
// first time to the second, from the third to the fourth, and so on.
func Talk(ctx context.Context, path string, f Film, saidMs ...int64) error {
	f = f.withDefaults()

	said := make([]string, 0, len(saidMs)/2)
	for i := 0; i+1 < len(saidMs); i += 2 {
		said = append(said, fmt.Sprintf("gte(t,%s)*lt(t,%s)", seconds(saidMs[i]), seconds(saidMs[i+1])))
	}

	sound := fmt.Sprintf("aevalsrc=exprs='0.004*(random(0)-0.5)+0.3*sin(2*PI*180*t)*(0.6+0.4*sin(2*PI*4*t))*(%s)':s=48000:c=mono:d=%s",
		strings.Join(said, "+"), seconds(f.SoundMs))

	return f.film(ctx, path, 2, 2, func(_ int, luma []byte) {
		for i := range luma {
			luma[i] = 16
		}
	}, sound)
}
