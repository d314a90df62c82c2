package encode

import (
	"context"
	"fmt"

	"github.com/reelgraph/reelgraph/internal/engine/audio"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/video/plan"
)

// sound returns the piece for the sound of an output, made in one pass: mix, tempo, limiter, encoder.
func (r *rendering) sound(o plan.Output) *piece {
	m := o.Mix

	return &piece{
		key: m.Key, name: ".m4a",
		draw: func(ctx context.Context, _ *openStreams, path string, _ func(int64)) error {
			if err := r.encodeMix(ctx, m, path); err != nil {
				return fmt.Errorf("render the sound: %w", err)
			}

			return nil
		},
		check: func(path string) error {
			if err := checkSound(path, m.Samples); err != nil {
				return fmt.Errorf("render the sound: %w", err)
			}

			return nil
		},
	}
}

func (r *rendering) encodeMix(ctx context.Context, m plan.Mix, path string) error {
	cleaned := map[string]probe.Recording{}

	for _, v := range m.Voices() {
		if _, known := cleaned[v.StudioKey()]; known || !v.Studio {
			continue
		}

		path, err := r.studio(ctx, v)
		if err != nil {
			return err
		}

		cleaned[v.StudioKey()] = probe.Recording{Source: audio.StudioSource(path)}
	}

	return audio.EncodeMix(ctx, r.engine.Runner(), m, func(v plan.Voice) probe.Recording {
		if v.Studio {
			return cleaned[v.StudioKey()]
		}

		return r.recording(v)
	}, path)
}

// recording returns the recording that a voice plays.
func (r *rendering) recording(v plan.Voice) probe.Recording {
	return probe.Recording{Source: r.sources[v.Source], Origin: r.origins[v.Source]}
}

// studio returns the file with the studio sound of a source, which it makes unless the cache has it. The sound is
// aligned to the recording's time, stereo, at plan.SampleRate.
func (r *rendering) studio(ctx context.Context, v plan.Voice) (string, error) {
	r.cleaning.Lock()
	defer r.cleaning.Unlock()

	const name = ".studio.m4a"

	key := v.StudioKey()

	path, ok := r.has(ctx, key, name)
	if ok {
		return path, nil
	}

	if err := audio.MakeStudio(ctx, r.engine.Runner(), r.recording(v), path); err != nil {
		return "", fmt.Errorf("clean the sound of source %s: %w", v.Source, err)
	}

	return path, r.keep(ctx, key, name)
}
