// Package rendering renders films in tests: a Studio probes recordings, plans timelines and exports them. Start with
// New.
package rendering
