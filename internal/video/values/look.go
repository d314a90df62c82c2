package values

import "slices"

// Look is everything that a video shows besides its recordings, at the time when an export was requested. In the zero
// Look each clip has the look of a new clip.
type Look struct {
	// Clips are in the order of the timeline; a clip without a look gets that of a new one.
	Clips []ClipLook `json:"clips,omitempty"`
	// Captions are drawn into the picture; nil draws none.
	Captions *CaptionLook `json:"captions,omitempty"`
}

// Clip returns the look of the clip with that index.
func (l Look) Clip(i int) ClipLook {
	if i < len(l.Clips) {
		return l.Clips[i]
	}

	return ClipLook{Background: DefaultBackground(), Corners: CornersRegular}
}

// Written reports whether any text is drawn.
func (l Look) Written() bool {
	return l.Captions != nil || slices.ContainsFunc(l.Clips, func(c ClipLook) bool {
		return slices.ContainsFunc(c.Effects, func(e ShownEffect) bool { return e.Params.Text != nil })
	})
}

// ClipLook describes how a clip is drawn. If the clip does not have a setting, ClipLook contains the setting of the
// video.
type ClipLook struct {
	Background  Background  `json:"background"`
	BorderStyle BorderStyle `json:"borderStyle"`
	Corners     Corners     `json:"corners"`
	Crop        *CropBox    `json:"crop,omitempty"` // of the screen; nil is the whole screen
	// Base is the layout outside layout effects; nil is the default of the clip's scene type.
	Base    *LayoutShape  `json:"base,omitempty"`
	Effects []ShownEffect `json:"effects,omitempty"` // in order of creation; no sounds
	// Mouse is the source of the mouse events; empty without any.
	Mouse string `json:"mouse,omitempty"`
	// MouseOffsetMs is when that source begins, in recording time.
	MouseOffsetMs int64 `json:"mouseOffsetMs,omitempty"`
	Cursor        bool  `json:"cursor,omitempty"` // draw an animated cursor from Mouse
	// Words are the words of the captions: corrected, without the hidden ones, in recording time, ascending.
	Words SpokenWords `json:"words,omitempty"`
}

// ShownEffect is a visible effect. Its times are recording times, as stored.
type ShownEffect struct {
	Kind     EffectKind   `json:"kind"`
	StartMs  int64        `json:"startMs"`
	EndMs    int64        `json:"endMs"`
	SourceID string       `json:"sourceId,omitempty"`
	Params   EffectParams `json:"params"`
}

// SpokenWord is a word of a caption. Its times are in recording time.
type SpokenWord struct {
	Text    string `json:"text"`
	StartMs int64  `json:"startMs"`
	EndMs   int64  `json:"endMs"`
	// Cue is the number of the caption in its file, from 1; 0 when no file divided the words.
	Cue int `json:"cue,omitempty"`
}

// CaptionLook is the style of captions and the position of their center.
type CaptionLook struct {
	Style    CaptionStyle `json:"style"`
	Position Position     `json:"position"`
}

// Sources returns the ids of all sources that the look shows, each once, in order, including default backgrounds.
func (l Look) Sources() []string {
	var ids []string

	add := func(id string) {
		if id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}

	for _, c := range l.Clips {
		add(c.Background.Source())
		add(c.Mouse)

		for _, e := range c.Effects {
			add(e.SourceID)
		}
	}

	return ids
}

// DefaultLayout returns the base layout of a new clip.
func DefaultLayout(scene LayoutSceneType) LayoutShape {
	switch scene {
	case LayoutSceneTypeCombi:
		return LayoutShape{
			Kind: LayoutKindCameraBubble, Position: new(LayoutPositionBottomLeft),
			Size: new(LayoutSizeM), Shape: new(CameraShapeCircle),
		}
	case LayoutSceneTypeCameraSubject:
		return LayoutShape{Kind: LayoutKindFullscreen, Style: new(LayoutStyleRegular)}
	default:
		return LayoutShape{Kind: LayoutKindFullscreen, ScreenFit: new(ScreenFitLetterbox)}
	}
}

// SceneType returns the scene type of a clip that has the given recordings.
func SceneType(screen, camera bool) LayoutSceneType {
	switch {
	case !camera:
		return LayoutSceneTypeBasicSubject
	case !screen:
		return LayoutSceneTypeCameraSubject
	default:
		return LayoutSceneTypeCombi
	}
}
