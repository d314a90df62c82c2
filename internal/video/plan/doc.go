// Package plan decides what an export consists of. Of is a pure function from a video's timeline to
// a Plan: equal input, equal plan. A Plan is data; package ffmpeg carries it out.
//
// An output is drawn in chunks of a few seconds, whose edges lie on output frames and at the whole
// seconds around what is laid on a clip. A chunk's key is a hash of all that decides its pixels, so that a finished
// chunk is never drawn twice, neither after a crash nor in the next export. Sound is one pass over a
// whole output, because the encoder's priming would click at every edge.
//
// A chunk that shows one recording and nothing else is passed through; any other is a Scene: inputs as
// decoders deliver them, and what is seen of them in every frame. Where a layout puts its layers is
// one function, Arrange.
package plan

// Engine is the version of the planning and drawing. It is part of every key: raise it when the same video, Draw or
// Mix would come out differently, so that nothing drawn before is used again.
const Engine = 10
