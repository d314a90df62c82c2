package render

import (
	"cmp"
	"fmt"
	"path"
	"strings"
	"unicode"

	"github.com/reelgraph/reelgraph/internal/timeline"
)

// raw plans the uploaded files of a video, each once, under names that cannot leave their folder.
func (p planner) raw(v timeline.Video) (Plan, error) {
	var (
		plan  Plan
		names = fileNames{"manifest.json": true}
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

			base := clean(lastElement(src.Name), id)
			ext := path.Ext(base)
			plan.Files = append(plan.Files, File{
				Name:   names.unique(strings.TrimSuffix(base, ext), cmp.Or(ext, src.Ext)),
				Source: id, Content: src.Content, Bytes: src.Bytes,
			})
		}

		plan.Clips = append(plan.Clips, SourceClip{
			ID: c.ID, Name: c.Name, LengthMs: c.LengthMs,
			Screen: c.Screen, Camera: c.Camera, Cuts: timeline.Normalise(c.LengthMs, c.Cuts),
		})
	}

	return plan, nil
}

// fileNames are the names taken within a ZIP, in lower case: some systems unpack onto file systems
// that do not tell the cases apart.
type fileNames map[string]bool

func (f fileNames) unique(base, ext string) string {
	name := base + ext
	for n := 2; f[strings.ToLower(name)]; n++ {
		name = fmt.Sprintf("%s (%d)%s", base, n, ext)
	}

	f[strings.ToLower(name)] = true

	return name
}

// maxName is the most characters of a given name that a file name keeps.
const maxName = 120

// lastElement is the name of a file in a path of whatever system.
func lastElement(name string) string {
	if i := strings.LastIndexAny(name, `/\`); i >= 0 && strings.TrimSpace(name[i+1:]) != "" {
		return name[i+1:]
	}

	return name
}

// clean makes a file name of what a user wrote, without characters that mean something to a file system. When
// nothing is left it is otherwise.
func clean(name, otherwise string) string {
	name = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || r == unicode.ReplacementChar || strings.ContainsRune(`/\:*?"<>|`, r) {
			return '-'
		}

		return r
	}, strings.ToValidUTF8(name, "-"))

	name = strings.Trim(name, ". ")
	if runes := []rune(name); len(runes) > maxName {
		ext := []rune(path.Ext(name))
		if len(ext) > maxName/4 {
			ext = nil
		}

		name = strings.TrimRight(string(runes[:maxName-len(ext)]), ". ") + string(ext)
	}

	if name == "" {
		return otherwise
	}

	return name
}
