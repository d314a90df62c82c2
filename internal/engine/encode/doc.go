// Package encode carries out render plans: it makes films, and the archives of scenes and of raw files.
//
// Start with Engine.Render. A plan is a list of pieces, chunks of picture and one sound for each output. Pieces that the cache
// does not have are made side by side (queue.go): a chunk by one FFmpeg that decodes, filters and encodes (chunk.go), or, where
// something is painted, by a decoder for each recording, the compositor and an encoder (compose.go, feed.go). What is made is
// checked, kept in the cache, and joined without being encoded again (join.go).
package encode
