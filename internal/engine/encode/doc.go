// Package encode renders plans: it makes films, and archives of scenes or raw files.
//
// Start with Engine.Render. A plan is a list of pieces: chunks of picture and one sound for each output. Workers make
// the pieces that the cache does not have in parallel (queue.go). One FFmpeg decodes, filters and encodes a chunk
// (chunk.go). If something is painted, a decoder per recording, the compositor and an encoder make it (compose.go,
// feed.go). Each piece is checked, kept in the cache, and joined to the others without encoding again (join.go).
package encode
