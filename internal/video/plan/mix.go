package plan

import "github.com/reelgraph/reelgraph/internal/video/timeline"

// SampleRate is the sample rate of every mix. At this rate a millisecond is a whole number of samples.
const SampleRate = 48_000

// Mix is the sound of one output, exact to the sample at SampleRate. All its times are playback times before Speed is
// applied.
type Mix struct {
	Key string `json:"key"`
	// Samples is the length of the result, equal to that of the output's frames.
	Samples int64          `json:"samples"`
	Speed   timeline.Speed `json:"speed"`
	Pieces  []Piece        `json:"pieces"`
	// Fades are the smooth transitions between clips, ascending.
	Fades []Fade `json:"fades,omitempty"`
	// Cues are laid over the pieces, ascending.
	Cues []Cue `json:"cues,omitempty"`
	// Music loops from the beginning to the end, quieter during speech; nil is no music.
	Music *Voice `json:"music,omitempty"`
}

// Piece is an unbroken part of one clip's recording. Without voices it is silent.
type Piece struct {
	Clip     int     `json:"clip"`
	RecordMs int64   `json:"recordMs"`
	LengthMs int64   `json:"lengthMs"`
	Voices   []Voice `json:"voices,omitempty"`
}

// Voice is one source of sound.
type Voice struct {
	Source  string  `json:"source"`
	Content string  `json:"content"`
	Heard   string  `json:"heard,omitempty"`
	Volume  float64 `json:"volume"`
	// OffsetMs is when the source begins, in recording time of its piece.
	OffsetMs int64 `json:"offsetMs,omitempty"`
	// Studio cleans the source first.
	Studio bool `json:"studio,omitempty"`
	// Speech ducks the music.
	Speech bool `json:"speech,omitempty"`
}

// Fade is a transition of the sound at a time: the old pieces fade out before it, and the new ones fade in after it.
type Fade struct {
	AtMs   int64 `json:"atMs"`
	FallMs int64 `json:"fallMs"` // how long before it the fade-out begins
	RiseMs int64 `json:"riseMs"` // how long after it the fade-in ends
}

// Cue is a sound that starts playing from its beginning at a time, and lasts at most LengthMs.
type Cue struct {
	Voice

	AtMs     int64 `json:"atMs"`
	LengthMs int64 `json:"lengthMs"`
}

// Lengths of the sound of a smooth transition. A clip's sound ends with its last sample, so nothing of it could be heard
// under the next clip: the old sound fades out before the join.
const (
	BlendMs = 400 // the length of the transition, in which the new sound rises
	fallMs  = 200
)

// Voices returns all voices of the mix, in order of first use.
func (m Mix) Voices() []Voice {
	var all []Voice
	for _, piece := range m.Pieces {
		all = append(all, piece.Voices...)
	}

	for _, cue := range m.Cues {
		all = append(all, cue.Voice)
	}

	if m.Music != nil {
		all = append(all, *m.Music)
	}

	return all
}

// LengthMs is the playback time of the mix before the speed is applied.
func (m Mix) LengthMs() int64 {
	var total int64
	for _, piece := range m.Pieces {
		total += piece.LengthMs
	}

	return total
}

// mix plans the sound. A source without sound or a volume of zero is silent.
func (p planner) mix(v timeline.Video, frames int64) (Mix, error) {
	m := Mix{Samples: frames * SampleRate / p.settings.FPS, Speed: p.settings.Speed}

	for _, s := range v.Segments() {
		piece := Piece{Clip: s.Clip, RecordMs: s.RecordMs, LengthMs: s.LengthMs}

		for _, sound := range v.Clips[s.Clip].Sounds {
			voice, err := p.voice(sound)
			if err != nil {
				return Mix{}, err
			}

			piece.Voices = append(piece.Voices, voice...)
		}

		m.Pieces = append(m.Pieces, piece)
	}

	for _, b := range v.Blends() {
		m.Fades = append(m.Fades, Fade{AtMs: b.PlayMs, FallMs: min(fallMs, b.BeforeMs), RiseMs: min(BlendMs, b.NextMs)})
	}

	for _, cue := range v.Cues() {
		voice, err := p.voice(cue.Sound)
		if err != nil {
			return Mix{}, err
		}

		for _, one := range voice {
			m.Cues = append(m.Cues, Cue{Voice: one, AtMs: cue.PlayMs, LengthMs: cue.LengthMs})
		}
	}

	if v.Music != nil {
		voice, err := p.voice(*v.Music)
		if err != nil {
			return Mix{}, err
		}

		for _, one := range voice {
			m.Music = &one
		}
	}

	m.Key = m.key()

	return m, nil
}

// voice returns one voice for a sound, or none when it is silent.
func (p planner) voice(s timeline.Sound) ([]Voice, error) {
	src, err := p.sources.find(s.Source)
	if err != nil || !src.Sound || s.Volume <= 0 {
		return nil, err
	}

	return []Voice{{
		Source: s.Source, Content: src.Content, Heard: src.Heard, Volume: s.Volume, OffsetMs: s.OffsetMs, Studio: s.Studio, Speech: s.Speech,
	}}, nil
}

// key leaves out the ids, which do not change the sound.
func (m Mix) key() string {
	nameless := func(v Voice) Voice {
		v.Source = ""

		return v
	}

	pieces := make([]Piece, len(m.Pieces))

	for i, piece := range m.Pieces {
		pieces[i] = Piece{Clip: piece.Clip, RecordMs: piece.RecordMs, LengthMs: piece.LengthMs}
		for _, v := range piece.Voices {
			pieces[i].Voices = append(pieces[i].Voices, nameless(v))
		}
	}

	cues := make([]Cue, len(m.Cues))
	for i, c := range m.Cues {
		cues[i] = Cue{Voice: nameless(c.Voice), AtMs: c.AtMs, LengthMs: c.LengthMs}
	}

	m.Key, m.Pieces, m.Cues = "", pieces, cues

	if m.Music != nil {
		music := nameless(*m.Music)
		m.Music = &music
	}

	return hash(struct {
		Engine, Studio int
		Encoding       []string
		Mix            Mix
	}{Engine, Studio, m.Encoding(), m})
}

// Studio is the version of the studio sound. Raise it when the result for the same recording changes.
const Studio = 2

// StudioKey returns the cache key of a recording's studio sound. It is the same in every export that plays the
// recording.
func (v Voice) StudioKey() string {
	return hash(struct {
		Studio         int
		Content, Heard string
	}{Studio, v.Content, v.Heard})
}
