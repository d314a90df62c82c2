package measure

import (
	"context"
	"fmt"
	"os"
	"os/signal"
	"syscall"
)

// Run runs a benchmark until it finishes or is interrupted, prints errors, and returns the exit code.
func Run(name string, bench func(context.Context) error) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()

	context.AfterFunc(ctx, stop) // a second signal ends the process immediately

	if err := bench(ctx); err != nil {
		fmt.Fprintf(os.Stderr, "bench/%s: %v\n", name, err)

		return 1
	}

	if ctx.Err() != nil {
		return 130 // the shell's code for an interrupt, so that make stops
	}

	return 0
}
