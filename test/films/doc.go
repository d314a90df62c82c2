// Package films has the tests that render whole films with internal/engine and look at every frame of them. It has no code of
// its own; start with TestRenderFrames and testkit/rendering.
package films
