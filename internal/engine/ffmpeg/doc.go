// Package ffmpeg starts FFmpeg and ffprobe, and is the only package that starts a media program. Start with Tools.Run.
//
// A program runs through Tools.Run alone: in a process group of its own, under limits of memory, processor time, file size and
// wall time, watched for progress, and dead when its caller, its context or the server is.
//
// Everything that reaches it may be hostile. The first bytes of a file decide on one demuxer (Sniff), and from then on every
// command names that demuxer and allows no other format and no protocol but file (Format.Input). A playlist that calls itself
// a video is therefore never opened as a playlist, and nothing it names is ever read. Package probe is the way in for files.
package ffmpeg
