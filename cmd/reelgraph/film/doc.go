// Package film reads the video description of `reelgraph render` and plans the video. docs/render.md
// documents the format. Start with Read and Open.
package film
