// Package probe finds out what a file is: its format, its streams, its real length, and where its time begins. The
// result is an Info, which is stored with the source and tells every later command how to open the file (input.go).
//
// Start with File. It trusts the bytes more than the headers: it looks at packets and decodes both ends. A file that is
// not acceptable gives *ffmpeg.Refused.
package probe
