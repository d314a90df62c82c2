// Package film reads the file that describes a video for `reelgraph render`, and plans the video. docs/render.md
// documents the format. Start with Read and Open.
package film
