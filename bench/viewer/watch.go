package main

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"os"
	"time"

	"github.com/chromedp/chromedp"

	"github.com/reelgraph/reelgraph/bench/measure"
)

// agent is the User-Agent of an ordinary browser. A headless one does not count as a viewer.
const agent = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36"

// watching plays 0 to 20 s, jumps to the chapter at 50 s and plays to 70 s, jumps to the one at 10 s, which shows ten
// seconds again, plays to 30 s and pauses: one minute with two jumps. The page does this by itself at each picture, so
// a busy machine does not change what is watched. It records what was played.
const watching = `(() => {
	const video = document.querySelector("video"), chapter = (n) => document.querySelectorAll(".chapters a")[n].click();
	const steps = [[20, () => chapter(2)], [70, () => chapter(1)], [30, () => document.querySelector("[data-do=play]").click()]];
	let jumped = false, range = null;
	window.seen = [];
	video.addEventListener("seeking", () => { jumped = true; range = null });
	(function look() {
		const now = video.currentTime;
		if (video.seeking) jumped = true;
		else if (jumped) jumped = false;
		else {
			if (!range) seen.push(range = [now, now]);
			range[1] = now;
			if (steps.length && now >= steps[0][0] && now < steps[0][0] + 5) { jumped = true; steps.shift()[1]() }
		}
		window.done = steps.length === 0 && video.paused;
		requestAnimationFrame(look);
	})();
})()`

// span is what was played without a jump, in seconds of the video.
type span [2]float64

// figures are those of a video.
type figures struct {
	Summary   struct{ TotalWatchTimeSeconds float64 }
	Retention []struct{ Percent, WatchCount, UniqueViewers int }
}

// watch lets a browser watch for a minute and compares what the page recorded with the figures.
func (b *bench) watch(ctx context.Context) (string, error) {
	before, err := b.figures(ctx)
	if err != nil {
		return "", err
	}

	seen, err := b.play(ctx)
	if err != nil {
		return "", err
	}

	var watched float64
	for _, s := range seen {
		watched += s[1] - s[0]
	}

	var after figures

	// The last report is sent with the pause. Figures are half a minute late.
	err = until(ctx, 3*time.Minute, func() (enough bool, err error) {
		after, err = b.figures(ctx)

		return after.Summary.TotalWatchTimeSeconds-before.Summary.TotalWatchTimeSeconds > watched-5, err
	})
	if err != nil {
		return "", fmt.Errorf("wait for figures of %.1f s (%+v): %w", watched, after.Summary, err)
	}

	said := after.Summary.TotalWatchTimeSeconds - before.Summary.TotalWatchTimeSeconds
	wrong, edges := compare(seen, counts(after, before))

	fmt.Fprintf(os.Stderr, "seen %v, %.3f s, of which the figures say %.3f; wrong slices %v, on an edge %v\n",
		seen, watched, said, wrong, edges)

	return fmt.Sprintf("A browser watched for **%.2f s** in %d ranges, two of them after a jump, the last one in part for the second "+
		"time; the figures say **%.2f s** (goal ± 1 s, %s). Of %d slices of the retention **%d** differ from what was seen (goal 0, %s); "+
		"%d more are those in which a range began or ended, where a picture decides.\n",
		watched, len(seen), said, measure.Verdict(math.Abs(said-watched) <= 1), seconds, len(wrong), measure.Verdict(len(wrong) == 0),
		len(edges)), nil
}

// play returns what the page recorded as played.
func (b *bench) play(ctx context.Context) (seen []span, err error) {
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(chromium()), chromedp.UserAgent(agent),
		chromedp.Flag("headless", "new"), chromedp.Flag("disable-gpu", true), chromedp.Flag("autoplay-policy", "no-user-gesture-required"))
	if os.Geteuid() == 0 {
		options = append(options, chromedp.NoSandbox) // as for Lighthouse
	}

	ctx, cancel := chromedp.NewExecAllocator(ctx, options...)
	defer cancel()

	ctx, cancel = chromedp.NewContext(ctx)
	defer cancel()

	is := func(expression string) func() (bool, error) {
		return func() (is bool, err error) {
			err = chromedp.Run(ctx, chromedp.Evaluate(expression, &is))

			return is, err //nolint:wrapcheck // wrapped below
		}
	}

	err = errors.Join(
		chromedp.Run(ctx, chromedp.Navigate("http://"+b.product.Addr+b.pages()[0][1])),
		until(ctx, time.Minute, is(`document.querySelector(".player.ready") !== null && document.querySelector("video").readyState > 2`)),
		chromedp.Run(ctx, chromedp.Evaluate(watching, nil), chromedp.Click(".begin", chromedp.ByQuery)),
		until(ctx, 3*time.Minute, is(`window.done === true`)),
		chromedp.Run(ctx, chromedp.Evaluate(`seen.filter(([from, to]) => to > from)`, &seen)),
	)
	if err != nil {
		return nil, fmt.Errorf("watch: %w", err)
	}

	if len(seen) != 3 {
		return nil, fmt.Errorf("watched %v, and not three ranges", seen)
	}

	return seen, nil
}

func (b *bench) figures(ctx context.Context) (f figures, err error) {
	err = b.call(ctx, http.MethodGet, "/v1/videos/"+b.video+"/analytics", "", &f)

	return f, err
}

// counts returns how often each slice was watched between two readings of the figures.
func counts(after, before figures) [seconds]int {
	var of [seconds]int

	for i, f := range []figures{after, before} {
		for _, r := range f.Retention {
			if r.Percent < seconds {
				of[r.Percent] += r.WatchCount * (1 - 2*i)
			}
		}
	}

	return of
}

// compare returns the slices whose count differs from what was seen. Those in which a range begins or ends, to a tenth
// of a second, are returned separately.
func compare(seen []span, counted [seconds]int) (wrong, edges []int) {
	const blur = 0.1

	for slice := range counted {
		from, to := float64(slice), float64(slice+1)

		var least, most int

		for _, s := range seen {
			if s[0]+blur < to && s[1]-blur > from {
				least++
			}

			if s[0]-blur < to && s[1]+blur > from {
				most++
			}
		}

		switch n := counted[slice]; {
		case n < least || n > most:
			wrong = append(wrong, slice)
		case least != most:
			edges = append(edges, slice)
		}
	}

	return wrong, edges
}
