package plan

import (
	"cmp"
	"strings"

	"github.com/reelgraph/reelgraph/internal/video/filename"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// raw plans the uploaded files of a video, each once, under names that cannot leave their folder.
func (p planner) raw(v timeline.Video) (Plan, error) {
	var (
		plan  Plan
		names = filename.Taken{"manifest.json": true}
		seen  = map[string]bool{"": true}
	)

	for _, c := range v.Clips {
		ids := []string{c.Screen, c.Camera}
		for _, s := range c.Sounds {
			ids = append(ids, s.Source)
		}

		for _, id := range ids {
			if seen[id] {
				continue
			}

			seen[id] = true

			src, err := p.sources.find(id)
			if err != nil {
				return Plan{}, err
			}

			base, ext := filename.Split(filename.Safe(lastElement(src.Name), id))
			plan.Files = append(plan.Files, File{
				Name:   names.Unique(base, cmp.Or(ext, src.Ext)),
				Source: id, Content: src.Content, Bytes: src.Bytes,
			})
		}

		plan.Clips = append(plan.Clips, SourceClip{
			ID: c.ID, Name: c.Name, LengthMs: c.LengthMs,
			Screen: c.Screen, Camera: c.Camera, CameraOffsetMs: c.CameraOffsetMs, Sounds: separate(c),
			Cuts: values.Normalise(c.LengthMs, c.Cuts),
		})
	}

	return plan, nil
}

// separate returns the sounds of a clip that are files of their own.
func separate(c timeline.Clip) []SourceSound {
	var all []SourceSound

	for _, s := range c.Sounds {
		if s.Source != c.Screen && s.Source != c.Camera {
			all = append(all, SourceSound{Source: s.Source, OffsetMs: s.OffsetMs})
		}
	}

	return all
}

// lastElement returns the file name of a path, with slashes or backslashes.
func lastElement(name string) string {
	if i := strings.LastIndexAny(name, `/\`); i >= 0 && strings.TrimSpace(name[i+1:]) != "" {
		return name[i+1:]
	}

	return name
}
