package ent

//go:generate go run ./generate
