package probe

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
)

// SoundTrack is one sound track of a recording.
type SoundTrack struct {
	// Stream is its index in the file, for -map 0:<Stream>.
	Stream     int    `json:"stream"`
	Codec      string `json:"codec"`
	SampleRate int    `json:"sampleRate"`
	Channels   int    `json:"channels"`
	Language   string `json:"language,omitempty"`
	Title      string `json:"title,omitempty"`
	// Default means that the file marks this track as default.
	Default bool `json:"default,omitempty"`
	// LengthMs is its length; 0 when unknown.
	LengthMs int64 `json:"lengthMs,omitempty"`
	// StartMs is when it begins, relative to the start of the file.
	StartMs int64 `json:"startMs,omitempty"`
	// Silent reports whether the whole track is silent; nil until measured, or if it cannot be measured.
	Silent *bool `json:"silent,omitempty"`
	// Side is the only audible one of its two channels, "left" or "right"; empty means both, or not measured.
	Side string `json:"side,omitempty"`
}

// Values of SoundTrack.Side.
const (
	LeftSide  = "left"
	RightSide = "right"
)

// ChooseSound decides which track is heard: the one marked as default, or else the first. If that track is silent
// throughout, ChooseSound takes the next track that is not silent. If there are exactly two tracks, both mono and of
// the same length, they are the left and right channel of one sound, unless one is silent or only one is marked as
// default.
func (a *AudioInfo) ChooseSound() {
	if len(a.Tracks) == 0 {
		return
	}

	if left, right, ok := a.pair(); ok {
		a.take(left)
		a.Right = new(right.Stream)

		return
	}

	first := 0

	for i, t := range a.Tracks {
		if t.Default {
			first = i

			break
		}
	}

	for i := range a.Tracks {
		if t := a.Tracks[(first+i)%len(a.Tracks)]; !t.silent() {
			a.take(t)

			return
		}
	}

	a.take(a.Tracks[first])
}

func (t *SoundTrack) silent() bool { return t.Silent != nil && *t.Silent }

// take selects a track.
func (a *AudioInfo) take(t SoundTrack) {
	a.Stream, a.Codec, a.SampleRate, a.Channels = t.Stream, t.Codec, t.SampleRate, t.Channels
	a.StartMs, a.Right, a.Side = t.StartMs, nil, t.Side
}

// sameLengthMs is how much the lengths of the two sides may differ: encoders pad each to whole frames.
const sameLengthMs = 60

// pair returns the two tracks that are the sides of one sound. It needs the measurements of silence.
func (a *AudioInfo) pair() (left, right SoundTrack, ok bool) {
	if len(a.Tracks) != 2 || !a.Measured {
		return left, right, false
	}

	left, right = a.Tracks[0], a.Tracks[1]
	apart := left.LengthMs - right.LengthMs

	return left, right, left.Channels == 1 && right.Channels == 1 && !left.silent() && !right.silent() &&
		left.Default == right.Default && apart <= sameLengthMs && apart >= -sameLengthMs && left.LengthMs > 0
}

// AsMicrophone returns a copy of i for a microphone recording: if one of its two channels is silent, the other is
// heard on both sides.
func (i Info) AsMicrophone() Info {
	if i.Audio != nil && i.Audio.Side != "" {
		a := *i.Audio
		a.Spread, i.Audio = a.Side, &a
	}

	return i
}

// heard encodes which sound is heard and how, for cache keys. Empty means none.
func (a *AudioInfo) heard() string {
	switch {
	case a == nil:
		return ""
	case a.Right != nil:
		return fmt.Sprintf("%d+%d", a.Stream, *a.Right)
	case a.Spread != "":
		return fmt.Sprintf("%d %s", a.Stream, a.Spread)
	default:
		return strconv.Itoa(a.Stream)
	}
}

const (
	// faintestPeak is the level, in dB of full scale, that a sound must reach at least once to be audible.
	faintestPeak = -60.0
	// besideDB is how much louder one channel must be throughout for the other to count as silent. The other then holds
	// only the noise of an input without a microphone, or the crosstalk of a codec.
	besideDB = 30.0
	// peakSamples is how many samples form one measurement.
	peakSamples = 24_000
)

// trackPeaks is the measurement of one track.
type trackPeaks struct {
	windows     int
	left, right peaks
}

// peaks is the loudness of a channel.
type peaks struct {
	most float64 // of the power of each window's peak
	sum  float64 // of the power of each window's peak
}

func (p *peaks) add(db float64) {
	p.most = max(p.most, db)
	p.sum += math.Pow(10, db/10)
}

// judge records the measurement.
func (t *SoundTrack) judge(m *trackPeaks) {
	t.Silent, t.Side = nil, ""

	if m == nil || m.windows == 0 {
		return
	}

	silent := max(m.left.most, m.right.most) < faintestPeak
	t.Silent = &silent

	if silent || t.Channels < 2 {
		return
	}

	beside := math.Pow(10, besideDB/10)

	switch {
	case m.right.most < faintestPeak || m.left.sum > m.right.sum*beside:
		t.Side = LeftSide
	case m.left.most < faintestPeak || m.right.sum > m.left.sum*beside:
		t.Side = RightSide
	}
}

// listening returns the filters that measure the tracks of an input, and the outputs that make FFmpeg run them. FFmpeg
// writes the measurements to its standard output, for peakReader.
func listening(input int, tracks []SoundTrack) (filter string, outputs []string) {
	var chains []string

	for i, t := range tracks {
		chains = append(chains, fmt.Sprintf("[%d:%d]"+StereoFilter+",asetnsamples=n=%d:p=0,"+
			`ametadata=mode=add:key=track:value=%d,astats=metadata=1:reset=1:measure_perchannel=Peak_level:measure_overall=none,`+
			`ametadata=mode=print:file=pipe\\:1:direct=1[heard%d]`, input, t.Stream, peakSamples, i, i))
		outputs = append(outputs, "-map", fmt.Sprintf("[heard%d]", i), "-f", "null", "-")
	}

	return strings.Join(chains, ";"), outputs
}

// peakReader is an io.Writer that parses the measurements line by line.
type peakReader struct {
	tracks []trackPeaks
	track  *trackPeaks
	line   []byte
}

func newPeakReader(tracks int) *peakReader {
	r := &peakReader{tracks: make([]trackPeaks, tracks)}
	for i := range r.tracks {
		r.tracks[i].left.most, r.tracks[i].right.most = math.Inf(-1), math.Inf(-1)
	}

	return r
}

// longestLine is longer than any line that matters.
const longestLine = 1 << 10

// Write implements io.Writer.
func (r *peakReader) Write(b []byte) (int, error) {
	for _, c := range b {
		switch {
		case c == '\n':
			r.read(string(r.line))
			r.line = r.line[:0]
		case len(r.line) < longestLine:
			r.line = append(r.line, c)
		}
	}

	return len(b), nil
}

var _ io.Writer = (*peakReader)(nil)

func (r *peakReader) read(line string) {
	if strings.HasPrefix(line, "frame:") {
		r.track = nil

		return
	}

	if n, ok := strings.CutPrefix(line, "track="); ok {
		if i, err := strconv.Atoi(n); err == nil && i >= 0 && i < len(r.tracks) {
			r.track = &r.tracks[i]
			r.track.windows++
		}

		return
	}

	said, ok := strings.CutPrefix(line, "lavfi.astats.")
	channel, level, found := strings.Cut(said, ".Peak_level=")

	if !ok || !found || r.track == nil {
		return
	}

	db, err := strconv.ParseFloat(level, 64) // "-inf" too
	if err != nil || math.IsNaN(db) {
		return
	}

	switch channel {
	case "1":
		r.track.left.add(db)
	case "2":
		r.track.right.add(db)
	}
}

// MeasureSound measures all sound tracks of a recording, records which of them are silent, and chooses the one to be
// heard. A track that cannot be decoded is left unchanged, unless it is the only one. A source that has no sound, or
// whose sound has been measured before, is returned unchanged.
func MeasureSound(ctx context.Context, run ffmpeg.Runner, s Source) (Info, error) {
	info := s.Info
	if info.Audio == nil || info.Audio.Measured {
		return info, nil
	}

	a := *info.Audio
	info.Audio = &a

	if len(a.Tracks) == 0 { // it was probed before tracks were recorded
		head, err := describe(ctx, run.Tools, info.Format, s.Path)
		if err != nil {
			return s.Info, fmt.Errorf("read the sound tracks of %s: %w", s.Path, err)
		}

		a.Tracks = head.tracks()
	}

	measured, err := listen(ctx, run, s, a.Tracks)
	if err != nil && len(a.Tracks) > 1 {
		measured, err = listenToEach(ctx, run, s, a.Tracks)
	}

	if err != nil {
		return s.Info, fmt.Errorf("analyze the sound of %s: %w", s.Path, err)
	}

	a.measured(measured)

	return info, nil
}

// measured records the measurements of all tracks and chooses one.
func (a *AudioInfo) measured(all []trackPeaks) {
	tracks := make([]SoundTrack, len(a.Tracks))

	for i, t := range a.Tracks {
		t.judge(&all[i])
		tracks[i] = t
	}

	a.Tracks, a.Measured = tracks, true
	a.ChooseSound()
}

func listen(ctx context.Context, run ffmpeg.Runner, s Source, tracks []SoundTrack) ([]trackPeaks, error) {
	filter, outputs := listening(0, tracks)

	args := append([]string{"-vn", "-sn", "-dn"}, s.Info.Format.Input(s.Path)...)
	args = append(args, "-filter_complex_threads", "1", "-filter_complex", filter)
	found := newPeakReader(len(tracks))

	err := run.Run(ctx, ffmpeg.Command{Args: append(args, outputs...), Stdout: found})

	return found.tracks, err
}

// listenToEach measures one track after another, so that one that cannot be decoded does not hide the others.
func listenToEach(ctx context.Context, run ffmpeg.Runner, s Source, tracks []SoundTrack) ([]trackPeaks, error) {
	all := newPeakReader(len(tracks)).tracks

	for i, t := range tracks {
		found, err := listen(ctx, run, s, []SoundTrack{t})

		if exit, ok := errors.AsType[*ffmpeg.ExitError](err); err != nil && (!ok || exit.Reason != nil || exit.Signal != 0) {
			return nil, err
		}

		if err == nil {
			all[i] = found[0]
		}
	}

	return all, nil
}

// tracks returns the sounds that can be decoded, in file order.
func (d *description) tracks() []SoundTrack {
	var all []SoundTrack

	for i := range d.Streams {
		s := &d.Streams[i]

		rate, err := strconv.Atoi(s.SampleRate)
		if s.Type != "audio" || !s.known() || err != nil || s.Channels < 1 {
			continue
		}

		t := SoundTrack{
			Stream: s.Index, Codec: s.Codec, SampleRate: rate, Channels: s.Channels, Default: s.Is.Default != 0,
			Language: told(s.tag("language")), Title: told(s.tag("title")), LengthMs: s.lengthMs(),
			StartMs: max(0, seconds(s.Start)-d.startMs()),
		}
		if t.Language == "und" {
			t.Language = ""
		}

		all = append(all, t)
	}

	return all
}

// longestTold is how many characters of a name from a file are kept.
const longestTold = 255

// told cleans a name from a file so that it can be stored as text.
func told(s string) string {
	s = strings.TrimSpace(strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", ""))
	if r := []rune(s); len(r) > longestTold {
		s = string(r[:longestTold])
	}

	return s
}

// lengthMs returns the length of a stream by the headers; 0 if they have none.
func (s *stream) lengthMs() int64 {
	if ms := seconds(s.Duration); ms > 0 {
		return ms
	}

	var hours, minutes int64

	clock := bufio.NewReader(strings.NewReader(s.tag("DURATION")))
	if _, err := fmt.Fscanf(clock, "%d:%d:", &hours, &minutes); err != nil {
		return 0
	}

	rest, _ := io.ReadAll(clock)

	return (hours*60+minutes)*60_000 + seconds(strings.TrimSpace(string(rest)))
}

// StereoFilter converts any sound to two channels of floats. A mono sound is equally loud on both sides; FFmpeg
// without this filter would make it 3 dB quieter. More than two channels are mixed down as FFmpeg does it.
const StereoFilter = "aformat=sample_fmts=flt:channel_layouts=mono|stereo,pan=stereo|FL=FL+FC|FR=FR+FC"
