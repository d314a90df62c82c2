// Package rendering gives tests a place to render films in: a Studio probes recordings, plans timelines and exports them.
// Start with New.
package rendering
