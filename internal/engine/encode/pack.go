package encode

import (
	"archive/zip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/reelgraph/reelgraph/internal/video/plan"
)

// pack makes the ZIP of a raw export: the uploaded files byte for byte, and a manifest.
func (r *rendering) pack(ctx context.Context) (Result, error) {
	var total int64

	for _, f := range r.plan.Files {
		info, err := os.Stat(r.sources[f.Source].Path)
		if err != nil {
			return Result{}, fmt.Errorf("add %s to the ZIP file: %w", f.Name, err)
		}

		total += info.Size()
	}

	r.meter.start(int(total>>20) + 1)

	path := r.scratch.path("raw.zip")

	err := r.zip(ctx, path, func(z *packer) error {
		for _, f := range r.plan.Files {
			if err := z.add(f.Name, r.sources[f.Source].Path); err != nil {
				return err
			}
		}

		return z.manifest(r.plan)
	})
	if err != nil {
		return Result{}, err
	}

	return r.finish(Result{Path: path, ContentType: "application/zip"})
}

// packFilms makes the ZIP of a scenes export.
func (r *rendering) packFilms(ctx context.Context, films []string) (string, error) {
	path := r.scratch.path("scenes.zip")

	return path, r.zip(ctx, path, func(z *packer) error {
		z.count = nil

		for i, o := range r.plan.Outputs {
			if err := z.add(o.Name, films[i]); err != nil {
				return err
			}
		}

		return nil
	})
}

func (r *rendering) zip(ctx context.Context, path string, fill func(*packer) error) (err error) {
	out, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("create the ZIP file: %w", err)
	}

	z := &packer{ctx: ctx, zip: zip.NewWriter(out), count: func(n int64) { r.meter.set("", n>>20) }}
	if err = fill(z); err == nil {
		err = z.zip.Close()
	}

	return errors.Join(err, out.Close())
}

// packer writes files into a ZIP without compression: media does not compress.
type packer struct {
	ctx   context.Context //nolint:containedctx // a packer lives as long as one call
	zip   *zip.Writer
	count func(bytes int64)
	done  int64
}

// add writes the file at path.
func (p *packer) add(name, path string) error {
	in, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("add %s to the ZIP file: %w", name, err)
	}
	defer func() { _ = in.Close() }()

	info, err := in.Stat()
	if err != nil {
		return fmt.Errorf("add %s to the ZIP file: %w", name, err)
	}

	out, err := p.zip.CreateHeader(&zip.FileHeader{Name: name, Method: zip.Store, Modified: info.ModTime().UTC()})
	if err != nil {
		return fmt.Errorf("add %s to the ZIP file: %w", name, err)
	}

	buf := make([]byte, 1<<20)
	if _, err := io.CopyBuffer(onlyWriter{out}, &counted{p, until{p.ctx, in}}, buf); err != nil {
		return fmt.Errorf("add %s to the ZIP file: %w", name, err)
	}

	return nil
}

// firstDay is the earliest time that a ZIP can store; the manifest has it. Without a time the entry would be dated day
// zero of month zero, on which some readers fail.
var firstDay = time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)

// manifest writes which files there are and how the video uses them.
func (p *packer) manifest(planned plan.Plan) error {
	out, err := p.zip.CreateHeader(&zip.FileHeader{Name: "manifest.json", Method: zip.Deflate, Modified: firstDay})
	if err != nil {
		return fmt.Errorf("add the manifest to the ZIP file: %w", err)
	}

	enc := json.NewEncoder(out)
	enc.SetIndent("", "  ")

	return enc.Encode(struct {
		Version int               `json:"version"`
		Files   []plan.File       `json:"files"`
		Clips   []plan.SourceClip `json:"clips"`
	}{1, planned.Files, planned.Clips})
}

// counted reads a file and counts its bytes for a packer.
type counted struct {
	*packer
	in io.Reader
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.in.Read(b)
	c.done += int64(n)

	if c.count != nil {
		c.count(c.done)
	}

	return n, err
}

// onlyWriter hides all other methods, so that io.CopyBuffer uses the given buffer.
type onlyWriter struct{ io.Writer }
