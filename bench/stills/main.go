// Command stills measures storyboards, thumbnails and waveforms, which the server makes from recordings when a client
// requests them. It measures the built server through its API. Run it from the root of the module. It writes its
// section of bench/RESULTS.md.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"time"

	"github.com/reelgraph/reelgraph/bench/measure"
)

func main() { os.Exit(measure.Run("stills", run)) }

const (
	rounds  = 5
	callers = 50
)

// The goals, in seconds.
const (
	coldGoal     = 2.5
	cachedGoal   = 0.02
	thumbsGoal   = 2.0
	waveformGoal = 4.0
)

// measured are the results in seconds.
type measured struct {
	cold, cached, thumbs, waveform, silences, crowd []float64

	// Time of a plain FFmpeg to decode, in the same minutes, the 80 s of each storyboard and the hour's sound.
	window, sound []float64

	files int // number of different files that the crowd got
	bytes int64
}

func run(ctx context.Context) (err error) {
	recording := flag.String("recording", "", "an hour of video with sound; generated when empty")

	flag.Parse()

	began := measure.Circumstances(ctx, "go run ./bench/stills")

	folder, err := os.MkdirTemp("", "reelgraph-bench-")
	if err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}

	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()

	if *recording == "" {
		*recording = filepath.Join(folder, "hour.mp4")
		if err := record(ctx, folder, *recording); err != nil {
			return err
		}
	}

	s, err := serve(ctx, folder)
	if err != nil {
		return err
	}

	m, err := s.measure(ctx, *recording)
	if err := errors.Join(err, s.stop()); err != nil {
		return err
	}

	return measure.Publish("Stills", began+"\n"+report(m), method(m))
}

// record makes an hour of 1080p at 30 frames per second with sound, from one repeated minute.
func record(ctx context.Context, folder, path string) error {
	minute := filepath.Join(folder, "minute.mp4")

	for _, args := range [][]string{
		{
			"-f", "lavfi", "-i", "testsrc=size=1920x1080:rate=30:duration=60",
			"-f", "lavfi", "-i", "aevalsrc=exprs='0.3*sin(2*PI*180*t)*gt(sin(t),0)+0.004*(random(0)-0.5)':s=48000:d=60",
			"-c:v", "libx264", "-preset", "veryfast", "-g", "60", "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "128k", minute,
		},
		{"-stream_loop", "59", "-i", minute, "-c", "copy", "-movflags", "+faststart", path},
	} {
		out, err := exec.CommandContext(ctx, "ffmpeg", append([]string{"-nostdin", "-loglevel", "error", "-y"}, args...)...).CombinedOutput()
		if err != nil {
			return fmt.Errorf("ffmpeg: %w: %s", err, out)
		}
	}

	return nil
}

func (s *server) measure(ctx context.Context, recording string) (m measured, err error) {
	source, err := s.upload(ctx, recording)
	if err != nil {
		return m, err
	}

	stat, err := os.Stat(recording)
	if err != nil {
		return m, fmt.Errorf("measure the recording: %w", err)
	}

	m.bytes = stat.Size()

	for _, step := range []func(context.Context, string, *measured) error{s.storyboards, s.crowd, s.thumbnails, s.sounds} {
		if err := step(ctx, source, &m); err != nil {
			return m, err
		}
	}

	return m, m.floors(ctx, recording)
}

// floors measures the machine's current speed, which varies from day to day.
func (m *measured) floors(ctx context.Context, recording string) error {
	decode := func(into *[]float64, args ...string) error {
		args = append([]string{"-nostdin", "-loglevel", "error"}, args...)

		return timed(into, func() error {
			out, err := exec.CommandContext(ctx, "ffmpeg", append(args, "-f", "null", "-")...).CombinedOutput()
			if err != nil {
				return fmt.Errorf("ffmpeg: %w: %s", err, out)
			}

			return nil
		})
	}

	for i := range rounds {
		if err := decode(&m.window, "-ss", fmt.Sprint(400+i*613), "-t", "80", "-i", recording, "-an"); err != nil {
			return err
		}
	}

	return decode(&m.sound, "-vn", "-i", recording)
}

// storyboards measures windows of 80 s that were not requested before, and the same ones again.
func (s *server) storyboards(ctx context.Context, source string, m *measured) error {
	for i := range rounds {
		path := fmt.Sprintf("/v1/sources/%s/storyboard?startTimeMs=%d", source, 400_000+i*613_007)

		if err := timed(&m.cold, func() error {
			_, err := s.location(ctx, path)

			return err
		}); err != nil {
			return err
		}

		for range rounds {
			if err := timed(&m.cached, func() error {
				_, err := s.location(ctx, path)

				return err
			}); err != nil {
				return err
			}
		}
	}

	return nil
}

// crowd requests one storyboard many times concurrently.
func (s *server) crowd(ctx context.Context, source string, m *measured) error {
	path := fmt.Sprintf("/v1/sources/%s/storyboard?startTimeMs=123456", source)
	given := make([]string, callers)
	faults := make([]error, callers)

	err := timed(&m.crowd, func() error {
		var all sync.WaitGroup

		for i := range callers {
			all.Go(func() { given[i], faults[i] = s.location(ctx, path) })
		}

		all.Wait()

		return errors.Join(faults...)
	})

	files := map[string]bool{}
	for _, at := range given {
		files[file(at)] = true
	}

	m.files = len(files)

	return err
}

// thumbnails fetches all thumbnails of new videos concurrently.
func (s *server) thumbnails(ctx context.Context, source string, m *measured) error {
	for range rounds {
		urls, err := s.video(ctx, source)
		if err != nil {
			return err
		}

		err = timed(&m.thumbs, func() error {
			var all sync.WaitGroup

			faults := make([]error, len(urls))
			for i, url := range urls {
				all.Go(func() { faults[i] = s.fetch(ctx, url) })
			}

			all.Wait()

			return errors.Join(faults...)
		})
		if err != nil {
			return err
		}
	}

	return nil
}

// sounds reads the waveform and the silences once; a second read would be cached.
func (s *server) sounds(ctx context.Context, source string, m *measured) error {
	if err := timed(&m.waveform, func() error { return s.waveform(ctx, source) }); err != nil {
		return err
	}

	return timed(&m.silences, func() error { return s.silences(ctx) })
}

func timed(into *[]float64, do func() error) error {
	began := time.Now()
	err := do()

	*into = append(*into, time.Since(began).Seconds())

	return err
}

func report(m measured) string {
	row := func(what string, of []float64, goal float64) string {
		got := measure.Median(of)

		return fmt.Sprintf("| %s | **%.3f s** | ≤ %g s | %s | %d |\n", what, got, goal, measure.Verdict(got <= goal), len(of))
	}

	return "| | median | goal | | times |\n| --- | --- | --- | --- | --- |\n" +
		row("storyboard of 80 s out of an hour, cold", m.cold, coldGoal) +
		row("the same again", m.cached, cachedGoal) +
		row("all 16 thumbnails of a video, cold", m.thumbs, thumbsGoal) +
		row("waveform of an hour, cold", m.waveform, waveformGoal) +
		fmt.Sprintf("\nA plain FFmpeg, in the same minutes, decoded 80 s of the picture in %.2f s: a storyboard takes %.2f of that. "+
			"It decoded the hour's sound in %.2f s: a waveform takes %.2f of that.\n",
			measure.Median(m.window), measure.Median(m.cold)/measure.Median(m.window), m.sound[0], m.waveform[0]/m.sound[0]) +
		fmt.Sprintf("\nSilences of the hour: %.1f s. %d concurrent requests for one storyboard are answered within %.2f s; %d file is made.\n",
			m.silences[0], callers, m.crowd[0], m.files)
}

func method(m measured) string {
	return fmt.Sprintf(`
How:

- The built server with two workers of media and its private Postgres, asked through HTTP; one after the other but for
  the crowd and the thumbnails of a video, which are fetched at once, as a page does. The default backgrounds and sounds,
  which a server makes at its first start, are not made meanwhile.
- The recording is an hour of 1080p at 30 frames per second with sound, %.0f MB, a key frame every two seconds.
- Each cold storyboard is of another window, each cold set of thumbnails of another video.
`, float64(m.bytes)/1e6)
}
