// Package logging writes the program's log: one JSON object or one line of text for each event, with the id
// of the request it belongs to, and without secrets.
package logging
