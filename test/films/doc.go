// Package films tests internal/engine by rendering whole films and checking every frame. It has only tests. Start with
// TestRenderFrames and testkit/rendering.
package films
