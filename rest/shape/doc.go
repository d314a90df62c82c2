// Package shape defines the JSON of /v1's answers. Each file has the types of one resource, the fields that they select in
// the graph, and the function that makes them of what the resolvers return. Start with video.go.
package shape
