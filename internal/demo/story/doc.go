// Package story fills a workspace with the demo videos. A Guide records them, edits them and files them, by calling the
// services as a person of the workspace; then an audience watches them for a month. `reelgraph demo` and the job behind
// fillDemo both use it. Start with story.go, which defines the videos.
package story
