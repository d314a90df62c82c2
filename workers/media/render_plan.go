package media

import (
	"context"
	"encoding/json"
	"fmt"
	"os"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/catalogitem"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/video/mouse"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Recording is a source that a video shows or plays, together with its probe result.
type Recording struct {
	row  *ent.Source
	info probe.Info
}

// Recordings returns those sources of a video that exist and are ready. ctx must act as the video's workspace.
func (d Deps) Recordings(ctx context.Context, shown plan.ExportPlan) (map[string]Recording, plan.Sources, error) {
	rows, err := d.Store.Client(ctx).Source.Query().
		Where(source.IDIn(append(shown.Timeline.Sources(), shown.Look.Sources()...)...), source.StatusEQ(values.SourceStatusReady)).
		All(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("find sources: %w", err)
	}

	defaults, err := d.defaults(ctx, shown.Look)
	if err != nil {
		return nil, nil, err
	}

	rows = append(rows, defaults...)
	recordings, known := make(map[string]Recording, len(rows)), make(plan.Sources, len(rows))

	for _, row := range rows {
		// Pointer data from a request was never probed.
		r := Recording{row: row, info: probe.Info{Bytes: row.Bytes}}
		if row.Kind != values.SourceKindMouse {
			if err := json.Unmarshal(row.Probe, &r.info); err != nil {
				return nil, nil, fmt.Errorf("read the probe of source %s: %w", row.ID, err)
			}
		}

		r.info = AsHeard(row, r.info)

		src := r.info.RenderSource(row.Sha256, row.Name)
		if row.Kind == values.SourceKindMouse {
			if src.Mouse, err = d.mouse(ctx, row); err != nil {
				return nil, nil, err
			}
		}

		recordings[row.ID] = r
		known[row.ID] = src
	}

	return recordings, known, nil
}

// defaults returns the default backgrounds that a video shows, as sources.
func (d Deps) defaults(ctx context.Context, look values.Look) ([]*ent.Source, error) {
	var (
		named []string
		rows  []*ent.Source
	)

	for _, c := range look.Clips {
		if c.Background.CatalogID != "" {
			named = append(named, c.Background.CatalogID)
		}
	}

	if named == nil {
		return nil, nil
	}

	items, err := d.Store.Client(ctx).CatalogItem.Query().Where(catalogitem.IDIn(named...), catalogitem.Sha256NEQ("")).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("find default backgrounds: %w", err)
	}

	for _, item := range items {
		rows = append(rows, &ent.Source{
			ID: item.ID, Name: item.Name, BlobKey: item.BlobKey, Sha256: item.Sha256, Probe: item.Probe, Kind: values.SourceKindVideo,
		})
	}

	return rows, nil
}

// mouse returns the recorded pointer events of a source.
func (d Deps) mouse(ctx context.Context, row *ent.Source) ([]mouse.Event, error) {
	path, release, err := d.Local(ctx, row)
	if err != nil {
		return nil, err
	}
	defer release()

	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("read source %s: %w", row.ID, err)
	}
	defer func() { _ = f.Close() }()

	events, err := probe.ReadMouse(f)
	if err != nil {
		return nil, fmt.Errorf("read source %s: %w", row.ID, err)
	}

	return events, nil
}

// Remote returns how many bytes must be copied to this machine before the sources can be read.
func (d Deps) Remote(ids []string, rows map[string]Recording) (bytes int64) {
	for _, id := range ids {
		if _, there := d.Blobs.Path(rows[id].row.BlobKey); !there {
			bytes += rows[id].row.Bytes
		}
	}

	return bytes
}

// Files returns the sources as files on this machine. The caller must release them.
func (d Deps) Files(ctx context.Context, ids []string, rows map[string]Recording) (probe.Sources, func(), error) {
	var releases []func()

	release := func() {
		for _, fn := range releases {
			fn()
		}
	}
	files := probe.Sources{}

	for _, id := range ids {
		path, done, err := d.Local(ctx, rows[id].row)
		if err != nil {
			release()

			if Lost(err) {
				err = &plan.SourceError{Source: id, Reason: "has lost its file"}
			}

			return nil, nil, err
		}

		releases = append(releases, done)
		files[id] = probe.Source{Path: path, Info: rows[id].info}
	}

	return files, release, nil
}
