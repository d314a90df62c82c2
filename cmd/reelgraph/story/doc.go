// Package story fills a workspace with the videos of `reelgraph demo`. A Guide creates them through the REST API of a server;
// an Audience then watches them for a month. Start with story.go, which defines the videos.
package story
