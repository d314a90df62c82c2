// Package ffmpeg starts FFmpeg and ffprobe, and is the only package that starts a media program. Start with Tools.Run.
//
// A program runs only through Tools.Run: in its own process group, under limits of memory, processor time, file size
// and wall time, and watched for progress. It ends when its caller, its context or the server ends.
//
// Any input file may be hostile. Sniff chooses one demuxer from the first bytes of a file. Every later command names
// that demuxer and allows no other format and no protocol but file (Format.Input). So a playlist that pretends to be a
// video is never opened as a playlist, and nothing it names is read. Files enter through package probe.
package ffmpeg
