// Package graph tests the GraphQL API over HTTP, as clients use it. It has only tests.
package graph
