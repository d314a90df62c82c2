package media

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// packets are the times of the packets of a file, collected in one pass.
type packets struct {
	main    int             // the stream whose frames are counted
	bases   map[int]ratio   // time base by stream
	times   []int64         // of the frames of the main stream, in its time base
	first   map[int]float64 // earliest time by stream, in ms
	last    map[int]float64 // latest end by stream, in ms
	longest int64           // duration of a frame of the main stream
}

func newPackets(d *description, info *Info) *packets {
	p := &packets{main: mainStream(info), bases: map[int]ratio{}, first: map[int]float64{}, last: map[int]float64{}}
	for _, index := range chosen(info) {
		p.bases[index] = rational(d.stream(index).TimeBase)
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

// scan reads every packet, for files whose headers do not say how long they are or say it wrongly.
func (t Tools) scan(ctx context.Context, path string, d *description, info *Info) (*packets, error) {
	return t.packets(ctx, path, d, info)
}

// tail returns the time of the last packet near the promised end, in milliseconds from the start of
// the file; 0 when there is none.
func (t Tools) tail(ctx context.Context, path string, d *description, info *Info, promised int64) (int64, error) {
	from := float64(max(0, promised-5000)+d.startMs()) / 1000
	p, err := t.packets(ctx, path, d, info, "-read_intervals", strconv.FormatFloat(from, 'f', 3, 64)+"%")
	var refused *Refused
	if errors.As(err, &refused) && refused.Code == CodeDamaged {
		return 0, nil // it cannot seek there: a scan will tell
	}
	if err != nil {
		return 0, err
	}
	return p.end() - d.startMs(), nil
}

func (t Tools) packets(ctx context.Context, path string, d *description, info *Info, more ...string) (*packets, error) {
	p := newPackets(d, info)
	r, w := io.Pipe()
	parsed := make(chan error, 1)
	go func() {
		err := p.read(r)
		r.CloseWithError(err)
		parsed <- err
	}()
	args := append([]string{"-of", "csv=p=0:nk=1", "-show_entries", packetEntries}, more...)
	err := t.Run(ctx, Command{
		Program: t.FFprobe, Args: append(args, info.Format.Input(path)...), Stdout: w, Limits: probeLimits(),
	})
	w.Close()
	if bad := <-parsed; bad != nil {
		err = errors.Join(err, bad)
	}
	if err := verdict(ctx, info.Format, err); err != nil {
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
		p.add(strings.Split(lines.Text(), ","))
		if len(p.times) > maxFrames {
			return fmt.Errorf("more than %d frames: %w", maxFrames, errTooMuch)
		}
	}
}

// add takes one packet. One with a C among its flags is cut off or corrupt, and nobody will see it.
func (p *packets) add(f []string) {
	if len(f) < 5 || strings.Contains(f[4], "C") {
		return
	}
	index, err := strconv.Atoi(f[0])
	base, ours := p.bases[index]
	if err != nil || !ours || base.num == 0 {
		return
	}
	at, err := strconv.ParseInt(f[1], 10, 64)
	if err != nil {
		if at, err = strconv.ParseInt(f[2], 10, 64); err != nil {
			return
		}
	}
	length, err := strconv.ParseInt(f[3], 10, 64)
	if err != nil || length < 0 {
		length = 0
	}
	ms := 1000 * base.float()
	from, to := float64(at)*ms, float64(at+length)*ms
	if have, ok := p.first[index]; !ok || from < have {
		p.first[index] = from
	}
	if have, ok := p.last[index]; !ok || to > have {
		p.last[index] = to
	}
	if index == p.main {
		p.times = append(p.times, at)
		p.longest = max(p.longest, length)
	}
}

func (p *packets) end() int64 {
	end := 0.0
	for _, t := range p.last {
		end = max(end, t)
	}
	return int64(math.Round(end))
}

// apply fills in what the packets prove. A frame whose length nobody gives lasts as long as the mean.
func (p *packets) apply(info *Info, d *description) {
	origin := math.Inf(1)
	for _, t := range p.first {
		origin = min(origin, max(0, t)) // encoders put padding before zero
	}
	if len(p.times) == 0 || math.IsInf(origin, 1) {
		return
	}
	end := float64(p.end())
	if v := info.Video; v != nil {
		s := d.stream(v.Stream)
		slices.Sort(p.times)
		v.Frames = int64(len(p.times))
		rate := p.rate(rational(s.MeanRate), rational(s.LowestRate))
		v.FPSNum, v.FPSDen = rate.num, rate.den
		v.VFR = !evenly(p.times, p.bases[v.Stream], rate)
		v.StartMs = int64(math.Round(max(0, p.first[v.Stream]-origin)))
		if p.longest == 0 && rate.num > 0 {
			base := p.bases[v.Stream]
			end = max(end, float64(p.times[len(p.times)-1])*1000*base.float()+1000/rate.float())
		}
	}
	if a := info.Audio; a != nil {
		a.StartMs = int64(math.Round(max(0, p.first[a.Stream]-origin)))
	}
	info.DurationMs = int64(math.Round(end - origin))
}

// rate is what the headers say when the frames bear it out, and otherwise the mean of the frames.
func (p *packets) rate(said ...ratio) ratio {
	base := p.bases[p.main]
	n := int64(len(p.times))
	span := p.times[n-1] - p.times[0]
	if n < 2 || span <= 0 {
		for _, r := range said {
			if r.num > 0 {
				return r
			}
		}
		return ratio{0, 1}
	}
	mean := ratio{(n - 1) * base.den, span * base.num}
	for _, r := range said {
		if r.num > 0 && evenly(p.times, base, r) {
			return r
		}
	}
	return mean.thousandths()
}

// thousandths rounds to what can be written as n/1000, which no frame of a recording tells apart.
func (r ratio) thousandths() ratio {
	n := int64(math.Round(r.float() * 1000))
	if n%1000 == 0 {
		return ratio{n / 1000, 1}
	}
	return ratio{n, 1000}
}

// evenly reports whether frame i is shown within 0.4 of a frame of i/rate, for all of them.
func evenly(times []int64, base, rate ratio) bool {
	if len(times) < 2 {
		return true
	}
	if base.num == 0 || rate.num == 0 {
		return false
	}
	if !slices.IsSorted(times) {
		times = slices.Sorted(slices.Values(times))
	}
	step := 1 / (rate.float() * base.float())
	for i, t := range times {
		if math.Abs(float64(t-times[0])-float64(i)*step) > 0.4*step {
			return false
		}
	}
	return true
}
