// Package sound has the tests that render whole films with internal/engine and listen to every sample of them. It has no code
// of its own; start with TestRenderSoundOfEverything and testkit/rendering.
package sound
