package values

import "slices"

// Look is all that a video shows beside its recordings, as it stood when it was asked for. The zero
// Look shows each clip as a new one is shown.
type Look struct {
	// Clips are in the order of the timeline's; a clip without one looks like a new one.
	Clips []ClipLook `json:"clips,omitempty"`
	// Captions are burned into the picture; nil burns none.
	Captions *CaptionLook `json:"captions,omitempty"`
}

// Clip is the look of the clip with that index.
func (l Look) Clip(i int) ClipLook {
	if i < len(l.Clips) {
		return l.Clips[i]
	}

	return ClipLook{Background: DefaultBackground(), Corners: CornersRegular}
}

// Written reports whether letters are drawn.
func (l Look) Written() bool {
	return l.Captions != nil || slices.ContainsFunc(l.Clips, func(c ClipLook) bool {
		return slices.ContainsFunc(c.Effects, func(e ShownEffect) bool { return e.Params.Text != nil })
	})
}

// ClipLook is what is drawn of a clip. What the clip leaves to its video is filled in.
type ClipLook struct {
	Background  Background  `json:"background"`
	BorderStyle BorderStyle `json:"borderStyle"`
	Corners     Corners     `json:"corners"`
	Crop        *CropBox    `json:"crop,omitempty"` // of the screen; nil shows all of it
	// Base is the layout where no other is; nil is the default of the clip's scene type.
	Base    *LayoutShape  `json:"base,omitempty"`
	Effects []ShownEffect `json:"effects,omitempty"` // in order of creation; no sounds
	// Mouse is the source with what the pointer did; empty when there is none.
	Mouse string `json:"mouse,omitempty"`
	// MouseOffsetMs is when that source begins, in recording time.
	MouseOffsetMs int64 `json:"mouseOffsetMs,omitempty"`
	Cursor        bool  `json:"cursor,omitempty"` // an animated cursor is drawn from it
	// Words are what the captions say: corrected, without the hidden ones, in recording time, ascending.
	Words SpokenWords `json:"words,omitempty"`
}

// ShownEffect is an effect that is seen. Its times are of the recording, as they are stored.
type ShownEffect struct {
	Kind     EffectKind   `json:"kind"`
	StartMs  int64        `json:"startMs"`
	EndMs    int64        `json:"endMs"`
	SourceID string       `json:"sourceId,omitempty"`
	Params   EffectParams `json:"params"`
}

// SpokenWord is a word of a caption, in recording time.
type SpokenWord struct {
	Text    string `json:"text"`
	StartMs int64  `json:"startMs"`
	EndMs   int64  `json:"endMs"`
	// Cue is which caption of a file it stands in, from 1; 0 when nobody divided the words.
	Cue int `json:"cue,omitempty"`
}

// CaptionLook is how captions look and where their centre is.
type CaptionLook struct {
	Style    CaptionStyle `json:"style"`
	Position Position     `json:"position"`
}

// Sources are the ids of all that is shown, each once, in order. Default backgrounds are among them.
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

// DefaultLayout is the base layout of a new clip.
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

// SceneType is which layers a clip of that screen and that camera has; either may be missing.
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
