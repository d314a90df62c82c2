// Package plan decides what an export consists of. Of is a pure function from a video's timeline to
// a Plan: equal input, equal plan. A Plan is data; package ffmpeg carries it out.
//
// An output is drawn in chunks of a few seconds. Chunks split at output frames, at the whole seconds around effects. A
// chunk's key hashes everything that decides its pixels, so a finished chunk is never drawn again, neither after a crash
// nor in the next export. Sound is one pass over a whole output, because the encoder's priming would click at every
// chunk edge.
//
// A chunk that shows one recording and nothing else is passed through; any other is a Scene: the inputs that decoders
// deliver and the view of every frame. Arrange decides where a layout puts its layers.
package plan

// Engine is the version of planning and drawing and is part of every key. Raise it when the same video, Draw or Mix would
// come out differently, so that no chunk drawn before is reused.
const Engine = 10
