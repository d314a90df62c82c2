// Command sdl writes the published schema into the given file.
package main

import (
	"fmt"
	"os"

	"github.com/reelgraph/reelgraph/graph"
)

func main() {
	if len(os.Args) != 2 { //nolint:mnd // the program and the file
		fmt.Fprintln(os.Stderr, "usage: sdl FILE")
		os.Exit(2)
	}

	if err := os.WriteFile(os.Args[1], graph.SDL(), 0o644); err != nil { //nolint:gosec // published
		fmt.Fprintln(os.Stderr, "sdl:", err)
		os.Exit(1)
	}
}
