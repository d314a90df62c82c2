package effect

import (
	"context"
	"slices"
	"strings"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/library"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/optional"
	"github.com/reelgraph/reelgraph/internal/upload"
	effects "github.com/reelgraph/reelgraph/internal/video/effect"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Wanted is a source that an edit refers to. It also holds the kinds of sources that are allowed there.
type Wanted struct {
	Edit

	ID, Field string
	kinds     []values.SourceKind
}

// Wants returns the sources that an edit refers to.
func (e Edit) Wants() []Wanted {
	media := func(m *effects.ClipMediaInput) []Wanted {
		if m == nil || m.SourceID == nil {
			return nil
		}

		return []Wanted{{e, *m.SourceID, "media.sourceId", []values.SourceKind{values.SourceKind(m.Type)}}}
	}

	switch {
	case e.add != nil && e.add.Layout != nil:
		return media(e.add.Layout.Media)
	case e.update != nil && e.update.Layout != nil:
		return media(e.update.Layout.Media.Value())
	case e.add != nil && makers[e.kind].source != nil:
		id := makers[e.kind].source(e.add)
		if id == nil {
			return nil
		}

		k, _ := effects.Of(e.kind)

		return []Wanted{{e, *id, "sourceId", k.Sources}}
	default:
		return nil
	}
}

// Pictured returns the picture of an edit that gives the address of a picture instead of a source. It returns nil for
// any other edit.
func (e Edit) Pictured() *effects.ClipMediaInput {
	var m *effects.ClipMediaInput

	switch {
	case e.add != nil && e.add.Layout != nil:
		m = e.add.Layout.Media
	case e.update != nil && e.update.Layout != nil:
		m = e.update.Layout.Media.Value()
	}

	if m == nil || m.ImageURL == nil {
		return nil
	}

	return m
}

// effectMedia holds what edits need that takes time to get.
type effectMedia struct {
	sources map[string]*ent.Source
	presets []*library.PresetFile
}

// takeEffectMedia waits for the sources that edits name and copies their presets, outside the transaction. It checks
// the caller's rights before it reports the state of a source.
func (svc *Service) takeEffectMedia(ctx context.Context, videoID string, edits []Edit) (media effectMedia, err error) {
	var all []Wanted

	for _, e := range edits {
		all = append(all, e.Wants()...)
	}

	if len(all) == 0 && !slices.ContainsFunc(edits, func(e Edit) bool { return e.presetOf() != nil || e.Pictured() != nil }) {
		return media, nil
	}

	v, err := svc.Listing.Rights().ReadableVideo(ctx, videoID, selection.Fields("id", "revision"))
	if err != nil {
		return media, err
	}

	d, err := svc.layOut(ctx, v, edits)
	if err != nil {
		return media, err
	}

	if media.sources, err = svc.findEffectSources(ctx, all); err != nil {
		return media, err
	}

	unusable := func(auth.Viewer, *ent.Video) error { return svc.refuseEffectSources(ctx, all, media.sources) }
	if err := svc.Listing.Rights().RefuseEdit(ctx, v, unusable); err != nil {
		return media, err
	}

	for _, w := range all {
		if media.sources[w.ID], err = svc.readyEffectSource(ctx, media.sources[w.ID], w); err != nil {
			return media, err
		}
	}

	if err := svc.fetchPictures(ctx, edits, media.sources); err != nil {
		return media, err
	}

	for _, p := range d.presets {
		copied, err := svc.Library.CopyPreset(ctx, p.CatalogItem)
		if err != nil {
			return media, err
		}

		media.presets = append(media.presets, copied)
	}

	return media, nil
}

// fetchPictures makes sources from the picture addresses in edits, one for each address, and makes the edits name those
// sources.
func (svc *Service) fetchPictures(ctx context.Context, edits []Edit, sources map[string]*ent.Source) error {
	fetched := map[string]string{}

	for _, e := range edits {
		m := e.Pictured()
		if m == nil {
			continue
		}

		id, known := fetched[*m.ImageURL]
		if !known {
			made, err := svc.Upload.FetchPicture(ctx, *m.ImageURL, e.at("media.imageUrl"))
			if err != nil {
				return e.about(err)
			}

			id = made.ID
			fetched[*m.ImageURL], sources[id] = id, made
		}

		m.SourceID = &id
	}

	return nil
}

// findEffectSources reads the sources that edits name. It returns not_found for a source that the caller may not know
// of.
func (svc *Service) findEffectSources(ctx context.Context, all []Wanted) (map[string]*ent.Source, error) {
	named := make([]string, len(all))
	for i, w := range all {
		named[i] = w.ID
	}

	found, err := svc.Listing.Rights().KnownSources(ctx, optional.Unique(nil, named))
	if err != nil {
		return nil, err
	}

	for _, w := range all {
		if found[w.ID] == nil {
			return nil, fault.NotFound(w.named("source at " + w.at(w.Field)))
		}
	}

	return found, nil
}

// refuseEffectSources returns forbidden unless the caller may use every source that edits name.
func (svc *Service) refuseEffectSources(ctx context.Context, all []Wanted, found map[string]*ent.Source) error {
	for _, w := range all {
		if err := svc.Listing.Rights().RefuseUse(ctx, found[w.ID], w.named("source at "+w.at(w.Field))); err != nil {
			return err
		}
	}

	return nil
}

// readyEffectSource waits for a source that is being processed, and refuses a source that cannot be used.
func (svc *Service) readyEffectSource(ctx context.Context, s *ent.Source, w Wanted) (*ent.Source, error) {
	if s.Status == values.SourceStatusProcessing {
		var err error
		if s, err = svc.Upload.LookedAt(ctx, s.ID, w.at(w.Field)); err != nil {
			return nil, err
		}
	}

	return s, w.about(w.Judge(s))
}

// Judge returns an error if the source is of a kind that is not allowed, or if it is not ready.
func (w Wanted) Judge(s *ent.Source) error {
	if !slices.Contains(w.kinds, s.Kind) {
		kinds := make([]string, len(w.kinds))
		for i, kind := range w.kinds {
			kinds[i] = string(kind)
		}

		return w.Invalid(fault.Field{Path: w.Field, Rule: "must be a source of kind " + strings.Join(kinds, " or ")})
	}

	return upload.UsableState(s, w.at(w.Field))
}
