package graph

//go:generate go run ./generate
