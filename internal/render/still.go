package render

import (
	"fmt"

	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/timeline"
)

// Reel plans a number of frames of a video, the first of which shows the playback time fromMs, for
// pictures of it: one chunk after the other, all of the compose lane. Its rate may be any. There are
// fewer frames when the video ends before. It fails as Of does; a time past the end is ErrEmpty.
func Reel(v timeline.Video, look domain.Look, sources Sources, settings Settings, fromMs, frames int64) ([]Chunk, error) {
	p := planner{look: look, sources: sources, settings: settings}

	parts, err := p.parts(v, each(v.Clips), v.RunsFrom(settings.rate(), fromMs, frames), fromMs)
	if err != nil {
		return nil, fmt.Errorf("plan pictures: %w", err)
	}

	if len(parts) == 0 {
		return nil, ErrEmpty
	}

	var chunks []Chunk

	for i, one := range parts {
		end := one.first + one.frames
		for ; one.first < end; one.first += one.frames {
			one.frames = min(ChunkSeconds*settings.FPS, end-one.first)
			scene, ids := one.scene(one.views(), lastOf(parts, i))
			chunks = append(chunks, Chunk{
				Key: scene.key(), Lane: LaneCompose, First: one.first, Frames: one.frames, Inputs: ids, Scene: &scene,
			})
		}
	}

	return chunks, nil
}

// each are the indices of all clips.
func each(clips []timeline.Clip) []int {
	all := make([]int, len(clips))
	for i := range all {
		all[i] = i
	}

	return all
}
