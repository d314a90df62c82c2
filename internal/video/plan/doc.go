// Package plan decides what an export consists of. Of is a pure function that turns the timeline of a video into a
// Plan: equal input gives an equal plan. A Plan is data; package encode executes it.
//
// An output is drawn in chunks of a few seconds. A chunk also ends at the whole second before an effect begins, and at
// the whole second after an effect ends. The key of a chunk is a hash of everything that decides its pixels, so a
// finished chunk is never drawn again, neither after a crash nor in the next export. The sound of an output is made in
// one pass, because the silence that an encoder adds at the start (its priming) would click at every edge of a chunk.
//
// A chunk that shows one recording and nothing else is drawn in the passthrough lane. Any other chunk is a Scene: the
// inputs that decoders read, and the view of every frame. Arrange decides where a layout puts its layers.
package plan

// Engine is the version of planning and drawing, and is a part of every key. Raise it when the result of the same
// video, Draw or Mix changes, so that no chunk drawn by an earlier version is used again.
const Engine = 10
