// Package shape defines the JSON of /v1's responses. Each file contains the types for one resource, the fields that
// must be selected from the graph, and the functions that convert the results of resolvers. Start with video.go.
package shape
