// Package probe finds out what a file is: its format, its streams, how long it really is, and where its time begins. What it
// finds is an Info, which is stored with the source and says how every later command opens the file (input.go).
//
// Start with File. It believes bytes and not headers: it looks at packets and decodes both ends. A file that is not what it
// should be gives *ffmpeg.Refused.
package probe
