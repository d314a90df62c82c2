// Package sound tests internal/engine by rendering whole films and checking every sample. It has only tests. Start with
// TestRenderSoundOfEverything and testkit/rendering.
package sound
