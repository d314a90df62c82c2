// Package logging writes the log of the program: one JSON object or one line of text per event. An event contains the
// id of its request and no secrets.
package logging
