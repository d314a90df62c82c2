// Package shape defines the JSON of /v1's responses. Each file has the types of one resource, the fields to select in
// the graph, and the functions that convert the results of resolvers. Start with video.go.
package shape
