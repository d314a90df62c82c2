// Package story fills a workspace with the videos of `reelgraph demo`. A Guide makes them by asking the REST API of a server;
// an Audience then watches them for a month. Start with story.go, which says what the videos show.
package story
