// Package film reads the description that `reelgraph render` takes, and makes the plan of the film from it. docs/render.md
// documents the format. Start with Read and Open.
package film
