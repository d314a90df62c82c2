package plan

import (
	"fmt"

	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Reel plans the given number of frames of a video, from which pictures of the video are made. The first frame is at
// the playback time fromMs. The chunks follow each other, and all are in the compose lane. Any frame rate is allowed.
// If the video ends early, Reel plans fewer frames. It returns the same errors as Of, and ErrEmpty if fromMs is past
// the end.
func Reel(v timeline.Video, look values.Look, sources Sources, settings Settings, fromMs, frames int64) ([]Chunk, error) {
	p := planner{look: look, sources: sources, settings: settings}

	before, err := p.before(v, fromMs)
	if err != nil {
		return nil, fmt.Errorf("plan pictures: %w", err)
	}

	parts, err := p.parts(before, v, each(v.Clips), v.RunsFrom(settings.rate(), fromMs, frames), fromMs)
	if err != nil {
		return nil, fmt.Errorf("plan pictures: %w", err)
	}

	if len(parts) == len(before) {
		return nil, ErrEmpty
	}

	var chunks []Chunk

	for i := len(before); i < len(parts); i++ {
		one := parts[i]

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

// before returns the frame that a smooth transition still shows at a playback time: the last one of the clip before, as in
// most exports. It returns none at any other time.
func (p planner) before(v timeline.Video, atMs int64) ([]part, error) {
	clip, clipMs, ok := v.At(atMs)
	if !ok || !v.Clips[clip].Smooth || clipMs*1000 >= blendUs(v.Clips[clip].Clock()) {
		return nil, nil
	}

	usual := Defaults(p.settings.Artboard).rate()

	last := usual.FirstAt(atMs-clipMs) - 1
	if last < 0 {
		return nil, nil
	}

	lastMs := usual.PlayUs(last) / 1000

	return p.parts(nil, v, each(v.Clips), v.RunsFrom(p.settings.rate(), lastMs, 1), lastMs)
}

// each returns the indices of all clips.
func each(clips []timeline.Clip) []int {
	all := make([]int, len(clips))
	for i := range all {
		all[i] = i
	}

	return all
}
