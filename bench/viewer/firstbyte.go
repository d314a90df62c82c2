package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptrace"
	"regexp"
	"slices"
	"time"

	"github.com/reelgraph/reelgraph/bench/measure"
)

const (
	visits        = 1000
	firstByteGoal = 30 * time.Millisecond
	weightGoal    = 120 << 10
)

// firstBytes opens the pages of many videos, each over a new connection.
func (b *bench) firstBytes(ctx context.Context) (string, error) {
	visitor := &http.Client{Transport: &http.Transport{DisableKeepAlives: true, DisableCompression: true}}
	took := make([]time.Duration, visits)

	for i := range took {
		var err error
		if took[i], err = b.visit(ctx, visitor, "/video/"+other(1+i*7919%many)+"/view"); err != nil {
			return "", err
		}
	}

	slices.Sort(took)

	median, p95 := took[visits/2], took[visits*95/100]

	row := func(what string, took time.Duration) string {
		return fmt.Sprintf("| first byte, %s | **%.1f ms** | ≤ %d ms | %s |\n",
			what, float64(took.Microseconds())/1000, firstByteGoal.Milliseconds(), measure.Verdict(took <= firstByteGoal))
	}

	head := fmt.Sprintf("| view page, %d visits | | goal | |\n| --- | --- | --- | --- |\n", visits)

	return head + row("median", median) + row("p95", p95), nil
}

// visit opens a page like a browser and returns the time to its first byte.
func (b *bench) visit(ctx context.Context, visitor *http.Client, path string) (first time.Duration, err error) {
	var began time.Time

	trace := &httptrace.ClientTrace{GotFirstResponseByte: func() { first = time.Since(began) }}

	r, err := http.NewRequestWithContext(httptrace.WithClientTrace(ctx, trace), http.MethodGet, "http://"+b.product.Addr+path, nil)
	if err != nil {
		return 0, fmt.Errorf("make a request: %w", err)
	}

	r.Header.Set("Accept-Encoding", "gzip")

	began = time.Now()

	answer, err := visitor.Do(r)
	if err != nil {
		return 0, fmt.Errorf("visit: %w", err)
	}
	defer func() { err = errors.Join(err, answer.Body.Close()) }()

	if _, err := io.Copy(io.Discard, answer.Body); err != nil {
		return 0, fmt.Errorf("visit: %w", err)
	}

	if answer.StatusCode != http.StatusOK || answer.Header.Get("Content-Encoding") != "gzip" {
		return 0, fmt.Errorf("%s returned %d with Content-Encoding %q", path, answer.StatusCode, answer.Header.Get("Content-Encoding"))
	}

	return first, nil
}

// asked matches the script and the style of a page.
var asked = regexp.MustCompile(`<(?:script[^>]* src|link rel="stylesheet" href)="([^"]+)"`)

// weight returns the compressed size of the view page's script and style.
func (b *bench) weight(ctx context.Context) (string, error) {
	page, _, err := b.fetch(ctx, "/video/"+b.video+"/view", "identity")
	if err != nil {
		return "", err
	}

	found := asked.FindAllStringSubmatch(page, -1)
	if len(found) < 2 {
		return "", errors.New("the page has no script or no style")
	}

	var total int

	for _, file := range found {
		packed, encoding, err := b.fetch(ctx, file[1], "gzip, br")
		if err != nil {
			return "", err
		}

		if encoding == "" {
			return "", fmt.Errorf("%s is not compressed", file[1])
		}

		total += len(packed)
	}

	return fmt.Sprintf("Script and style of the view page, compressed: **%.1f KiB** in %d files (goal ≤ %d KiB, %s).\n",
		float64(total)/1024, len(found), weightGoal>>10, measure.Verdict(total <= weightGoal)), nil
}

// fetch returns a file as transferred, and its Content-Encoding.
func (b *bench) fetch(ctx context.Context, path, takes string) (body, encoding string, err error) {
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+b.product.Addr+path, nil)
	if err != nil {
		return "", "", fmt.Errorf("make a request: %w", err)
	}

	r.Header.Set("Accept-Encoding", takes)

	answer, err := http.DefaultClient.Do(r)
	if err != nil {
		return "", "", fmt.Errorf("fetch: %w", err)
	}
	defer func() { err = errors.Join(err, answer.Body.Close()) }()

	content, err := io.ReadAll(answer.Body)
	if err == nil && answer.StatusCode != http.StatusOK {
		err = fmt.Errorf("%s returned %d", path, answer.StatusCode)
	}

	return string(content), answer.Header.Get("Content-Encoding"), err
}
