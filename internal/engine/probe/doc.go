// Package probe examines an uploaded file: its format, its streams, its real length, and where its time begins. The
// result is an Info. It is stored with the source, and every later command uses it to open the file (input.go).
//
// Start with File. It trusts the bytes more than the headers: it looks at packets and decodes both ends. For a file
// that is not acceptable it returns *ffmpeg.Refused.
package probe
