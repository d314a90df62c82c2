package measure

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// Run runs a benchmark until it is done or interrupted, tells what went wrong, and gives the code to end with.
func Run(name string, bench func(context.Context) error) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	context.AfterFunc(ctx, stop) // the second signal ends at once

	if err := bench(ctx); err != nil {
		fmt.Fprintf(os.Stderr, "bench/%s: %v\n", name, err)

		return 1
	}

	if ctx.Err() != nil {
		return 130 // as shells have it: what comes next shall not begin
	}

	return 0
}
