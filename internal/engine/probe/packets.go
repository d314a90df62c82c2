package probe

import (
	"bufio"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
)

// packets holds the times of the packets of a file, collected in one pass.
type packets struct {
	main   int             // the stream whose frames are counted
	bases  map[int]ratio   // time base by stream
	clocks map[int]*clock  // by stream, in its time base
	first  map[int]float64 // earliest time by stream, in ms
	last   map[int]float64 // latest end by stream, in ms
	beside map[int]*span   // of the sounds not in use, in ms
}

// span is when a stream begins and ends, in ms.
type span struct {
	base     ratio
	from, to float64
	any      bool
}

// packet is one packet as ffprobe lists it; unknown values are nil.
type packet struct {
	Stream   int    `json:"stream_index"`
	PTS      *int64 `json:"pts"`
	DTS      *int64 `json:"dts"`
	Duration *int64 `json:"duration"`
	Flags    string `json:"flags"`
}

// unseen reports whether the packet is never shown: flag C means corrupt or cut off, flag D that it is only decoded for
// the packets after it.
func (p packet) unseen() bool { return strings.ContainsAny(p.Flags, "CD") }

func newPackets(d *description, info *Info) *packets {
	p := &packets{
		main: mainStream(info), bases: map[int]ratio{}, clocks: map[int]*clock{},
		first: map[int]float64{}, last: map[int]float64{}, beside: map[int]*span{},
	}
	for _, index := range chosen(info) {
		p.bases[index], p.clocks[index] = rational(d.stream(index).TimeBase), &clock{}
	}

	if info.Audio != nil {
		for _, t := range info.Audio.Tracks {
			if p.clocks[t.Stream] == nil {
				p.beside[t.Stream] = &span{base: rational(d.stream(t.Stream).TimeBase)}
			}
		}
	}

	return p
}

func chosen(info *Info) []int {
	var all []int
	if info.Video != nil {
		all = append(all, info.Video.Stream)
	}

	if info.Audio != nil {
		all = append(all, info.Audio.Stream)
	}

	return all
}

const packetEntries = "packet=stream_index,pts,dts,duration,flags"

// scanTail returns the time of the last packet near the promised end, in milliseconds from the start of the file. It
// returns 0 if there is none, or if the headers count no frames and none is of the main stream.
func scanTail(ctx context.Context, t ffmpeg.Tools, path string, d *description, info *Info, promised int64) (int64, error) {
	from := float64(max(0, promised-5000)+d.startMs()) / 1000
	p, err := scanPackets(ctx, t, path, d, info, "-read_intervals", strconv.FormatFloat(from, 'f', 3, 64)+"%")

	var refused *ffmpeg.Refused
	if errors.As(err, &refused) && refused.Code == ffmpeg.CodeDamaged {
		return 0, nil // it cannot seek there: a full scan will find out
	}

	if err != nil {
		return 0, err
	}

	if d.frames(info) == 0 && p.lastMs()-d.startMs() < promised-5000 {
		return 0, nil // the picture ends long before the sound: only a full scan finds the last one
	}

	return p.end() - d.startMs(), nil
}

// scanPackets reads the packets of the whole file, or of the interval given in more.
func scanPackets(ctx context.Context, t ffmpeg.Tools, path string, d *description, info *Info, more ...string) (*packets, error) {
	p := newPackets(d, info)
	r, w := io.Pipe()
	parsed := make(chan error, 1)

	go func() {
		err := p.read(r)

		_ = r.CloseWithError(err)
		parsed <- err
	}()

	args := append([]string{"-of", "csv=p=0:nk=1", "-show_entries", packetEntries}, more...)
	err := t.Run(ctx, ffmpeg.Command{
		Program: t.FFprobe, Args: append(args, info.Format.Input(path)...), Stdout: w, Limits: Limits(),
	})
	_ = w.Close()

	if bad := <-parsed; bad != nil {
		err = errors.Join(err, bad)
	}

	if err := Verdict(ctx, info.Format, err); err != nil {
		return nil, err
	}

	return p, nil
}

func (p *packets) read(r io.Reader) error {
	for lines := bufio.NewScanner(r); ; {
		if !lines.Scan() {
			if err := lines.Err(); err != nil {
				return fmt.Errorf("%w: %w", errTooMuch, err)
			}

			return nil
		}

		one := parsePacket(lines.Text())
		p.add(one)

		if c := p.clocks[one.Stream]; c != nil && len(c.ticks) > maxFrames {
			return fmt.Errorf("more than %d frames: %w", maxFrames, errTooMuch)
		}
	}
}

// parsePacket parses a line of packetEntries. An invalid line gets stream -1.
func parsePacket(line string) packet {
	f := strings.Split(line, ",")
	if len(f) < 5 {
		return packet{Stream: -1}
	}

	index, err := strconv.Atoi(f[0])
	if err != nil {
		index = -1
	}

	return packet{Stream: index, PTS: integer(f[1]), DTS: integer(f[2]), Duration: integer(f[3]), Flags: f[4]}
}

func (p *packets) add(one packet) {
	base, ours := p.bases[one.Stream]

	at := cmp.Or(one.PTS, one.DTS)
	if s := p.beside[one.Stream]; s != nil && at != nil && !one.unseen() {
		s.add(*at, one.Duration)
	}

	if !ours || base.num == 0 || at == nil || one.unseen() {
		return
	}

	length := int64(0)
	if one.Duration != nil {
		length = max(0, *one.Duration)
	}

	ms := 1000 * base.float()

	from, to := float64(*at)*ms, (float64(*at)+float64(length))*ms
	if have, ok := p.first[one.Stream]; !ok || from < have {
		p.first[one.Stream] = from
	}

	if have, ok := p.last[one.Stream]; !ok || to > have {
		p.last[one.Stream] = to
	}

	p.clocks[one.Stream].add(one)
}

func (s *span) add(at int64, duration *int64) {
	from := float64(at) * 1000 * s.base.float()

	to := from
	if duration != nil {
		to += float64(max(0, *duration)) * 1000 * s.base.float()
	}

	if !s.any {
		s.from, s.to, s.any = from, to, true
	}

	s.from, s.to = min(s.from, from), max(s.to, to)
}

// tracks sets the length of each sound and drops empty ones: the file may be cut off before them, or nothing was
// recorded. It reports whether any is left.
func (p *packets) tracks(a *AudioInfo) bool {
	var left []SoundTrack

	for _, t := range a.Tracks {
		switch s := p.beside[t.Stream]; {
		case s != nil && s.any:
			t.LengthMs = int64(math.Round(s.to - s.from))
		case s == nil && len(p.clocks[t.Stream].ascending()) > 0:
			t.LengthMs = int64(math.Round(p.last[t.Stream] - p.first[t.Stream]))
		default:
			continue
		}

		left = append(left, t)
	}

	a.Tracks = left

	return len(left) > 0
}

// hear keeps only sounds that are not empty. A video without any has no sound.
func (p *packets) hear(info *Info) {
	a := info.Audio
	if a == nil || len(a.Tracks) == 0 {
		return
	}

	had := a.Stream
	switch left := p.tracks(a); {
	case !left && info.Video != nil:
		info.Audio = nil
	case left:
		a.ChooseSound()
	}

	s := p.beside[a.Stream]
	if s == nil || info.Video == nil {
		return
	}

	p.bases[a.Stream], p.first[a.Stream], p.last[a.Stream] = s.base, s.from, s.to
	delete(p.first, had)
	delete(p.last, had)
}

func integer(s string) *int64 {
	n, err := strconv.ParseInt(s, 10, 64)
	if err != nil || n > 1<<56 || n < -1<<56 {
		return nil
	}

	return &n
}

// settle drops the few stray frames of each stream. It reports whether there were any, and whether the clock of the
// main stream starts over.
func (p *packets) settle(f ffmpeg.Format) (strays, anew bool) {
	for index, c := range p.clocks {
		ms := 1000 * p.bases[index].float()

		left, ok := c.settle(ms, !f.Wraps())
		if !ok && index == p.main {
			return false, true
		}

		strays = strays || left
		if times := c.ascending(); left && len(times) > 0 {
			p.first[index], p.last[index] = float64(times[0])*ms, float64(times[len(times)-1]+c.longest)*ms
		}
	}

	return strays, false
}

// lastMs returns when the last frame of the main stream begins; 0 if there is none.
func (p *packets) lastMs() int64 {
	times := p.clocks[p.main].ascending()
	if len(times) == 0 {
		return 0
	}

	return int64(float64(times[len(times)-1]) * 1000 * p.bases[p.main].float())
}

// end returns when the last stream ends; 0 if there is none.
func (p *packets) end() int64 {
	if len(p.last) == 0 {
		return 0
	}

	end := math.Inf(-1) // all times of a clock that is about to wrap are below zero
	for _, t := range p.last {
		end = max(end, t)
	}

	return int64(math.Round(end))
}

// apply fills in what the packets prove. If no frame has a duration, the last one lasts as long as the mean.
func (p *packets) apply(info *Info, d *description) {
	origin := math.Inf(1)
	for _, t := range p.first {
		origin = min(origin, max(0, t)) // encoders put padding before zero
	}

	if start := info.Origin.StartUs; start < 0 && info.Format.Wraps() {
		origin = float64(start) / 1000
	}

	times := p.clocks[p.main].ascending()
	if len(times) == 0 {
		return
	}

	end := float64(p.end())
	if v := info.Video; v != nil {
		s, base := d.stream(v.Stream), p.bases[v.Stream]
		rate := meanRate(times, base, rational(s.MeanRate), rational(s.LowestRate))
		v.Frames, v.FPSNum, v.FPSDen = int64(len(times)), rate.num, rate.den
		v.VFR = !evenly(times, base, rate)

		v.StartMs = int64(math.Round(max(0, p.first[v.Stream]-origin)))
		if p.clocks[p.main].longest == 0 && rate.num > 0 {
			end = max(end, float64(times[len(times)-1])*1000*base.float()+1000/rate.float())
		}
	}

	if a := info.Audio; a != nil {
		a.StartMs = int64(math.Round(max(0, p.first[a.Stream]-origin)))
	}

	info.DurationMs = int64(math.Round(end - origin))
}

// meanRate returns the first rate of the headers that the frames confirm, or else the mean rate of the frames.
func meanRate(times []int64, base ratio, said ...ratio) ratio {
	for _, r := range said {
		if r.num > 0 && evenly(times, base, r) {
			return r
		}
	}

	n := int64(len(times))

	span := times[n-1] - times[0]
	if n < 2 || span <= 0 {
		return ratio{0, 1}
	}

	return ratio{(n - 1) * base.den, span * base.num}.thousandths()
}

// thousandths rounds to n/1000, precise enough for every frame of a recording.
func (r ratio) thousandths() ratio {
	n := int64(math.Round(r.float() * 1000))
	if n%1000 == 0 {
		return ratio{n / 1000, 1}
	}

	return ratio{n, 1000}
}

// evenly reports whether every frame i is shown within 0.4 of a frame of i/rate. times are ascending.
func evenly(times []int64, base, rate ratio) bool {
	if len(times) < 2 {
		return true
	}

	if base.num == 0 || rate.num == 0 {
		return false
	}

	step := 1 / (rate.float() * base.float())
	for i, t := range times {
		if math.Abs(float64(t-times[0])-float64(i)*step) > 0.4*step {
			return false
		}
	}

	return true
}
