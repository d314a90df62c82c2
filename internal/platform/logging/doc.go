// Package logging is the program's log: one JSON object or one line of text an event, with the id of the
// request it belongs to, and without anything that would open a door to whoever reads it.
package logging
