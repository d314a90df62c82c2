// Package encode renders plans: it makes films, and archives of scenes or raw files.
//
// Start with Engine.Render. A plan is a list of pieces: for each output, chunks of picture and one sound. Workers
// make those pieces that are not in the cache, in parallel (queue.go). One FFmpeg decodes, filters and encodes a
// chunk (chunk.go). A chunk that needs painting is made by a decoder per recording, the compositor and an encoder
// (compose.go, feed.go). Each piece is checked, stored in the cache, and joined to the others without encoding it
// again (join.go).
package encode
