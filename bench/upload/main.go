// Command upload measures the upload of one gibibyte in one PUT request, and the memory that the server needs for it.
// It then uploads the same bytes in resumable pieces, while the client disconnects and the server is killed. Run it
// from the root of the module. It writes its section of bench/RESULTS.md.
package main

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"time"

	"github.com/reelgraph/reelgraph/bench/measure"
)

func main() {
	size := flag.Int64("size", fullSize, "number of bytes; only results for the default are published")

	flag.Parse()

	os.Exit(measure.Run("upload", func(ctx context.Context) error { return run(ctx, *size) }))
}

const (
	fullSize   = 1 << 30
	memoryGoal = 64 << 20
	cuts       = 20 // half by the client, half by killing the server
)

func run(ctx context.Context, size int64) (err error) {
	began := measure.Circumstances(ctx, "go run ./bench/upload")

	folder, err := os.MkdirTemp("", "bench-")
	if err != nil {
		return fmt.Errorf("make a folder: %w", err)
	}
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()

	s, err := newServer(ctx, folder)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.product.Stop()) }()

	sum := sha256.New()
	if _, err := io.Copy(sum, recording(size, 0)); err != nil {
		return fmt.Errorf("sum: %w", err)
	}

	want := hex.EncodeToString(sum.Sum(nil))

	whole, err := s.whole(ctx, size, want)
	if err != nil {
		return err
	}

	pieces, err := s.pieces(ctx, size, want)
	if err != nil {
		return err
	}

	text := whole + pieces
	if size != fullSize {
		fmt.Fprintln(os.Stdout, text)

		return nil
	}

	return measure.Publish("Uploads", began+"\n"+text, "")
}

// whole uploads everything in one request.
func (s *server) whole(ctx context.Context, size int64, want string) (string, error) {
	u, err := s.create(ctx)
	if err != nil {
		return "", err
	}

	before, err := s.memory()
	if err != nil {
		return "", err
	}

	watching, done := context.WithCancel(ctx)
	peak := make(chan int64, 1)

	go func() { peak <- s.peak(watching) }()

	began := time.Now()
	err = s.put(ctx, u, size)
	took := time.Since(began)

	done()

	highest := <-peak

	if err != nil {
		return "", err
	}

	if err := s.settled(ctx, u, want); err != nil {
		return "", err
	}

	return fmt.Sprintf("One PUT of %d MiB: %.1f s, %.0f MiB/s, answered after the probe. The server's own memory was %.0f MiB before "+
		"and at most **%.0f MiB** meanwhile (goal ≤ %d MiB, %s).\n\n", size>>20, took.Seconds(), float64(size>>20)/took.Seconds(),
		mib(before), mib(highest), memoryGoal>>20, measure.Verdict(highest <= memoryGoal)), nil
}

// pieces uploads everything by tus, cut at random places.
func (s *server) pieces(ctx context.Context, size int64, want string) (string, error) {
	u, err := s.create(ctx)
	if err != nil {
		return "", err
	}

	dice := rand.New(rand.NewPCG(5, 1)) //nolint:gosec // the same places in each run
	began := time.Now()

	var again int64

	for i := range cuts {
		at, err := s.offset(ctx, u)
		if err != nil {
			return "", err
		}

		length := (size - at) / int64(cuts-i+1) * (50 + dice.Int64N(100)) / 100

		kept, err := s.cut(ctx, u, size, at, at+length, i%2 == 1)
		if err != nil {
			return "", err
		}

		if kept < at || kept > at+length {
			return "", fmt.Errorf("the server has %d of %d bytes", kept, at+length)
		}

		again += at + length - kept
	}

	at, err := s.offset(ctx, u)
	if err != nil {
		return "", err
	}

	if err := s.patch(ctx, u, size, at); err != nil {
		return "", err
	}

	if err := s.settled(ctx, u, want); err != nil {
		return "", err
	}

	return fmt.Sprintf("The same by tus, cut at %d random places (in turn the client disconnects within a PATCH, and the server is "+
		"killed with SIGKILL and restarted): complete after %.1f s with the SHA-256 of what was sent, **identical**. "+
		"%.1f MiB had to be sent twice.\n", cuts, time.Since(began).Seconds(), mib(again)), nil
}

func mib(n int64) float64 { return float64(n) / (1 << 20) }
