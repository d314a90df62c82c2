package values

// Offsets say when the tracks of a recording began, after its screen or, where there is none, after its camera.
type Offsets struct {
	Camera     Offset `json:"camera,omitzero"`
	Microphone Offset `json:"microphone,omitzero"`
	Mouse      Offset `json:"mouse,omitzero"`
}

// Offset is when one track began.
type Offset struct {
	Ms int64 `json:"ms"`
	// Given says that somebody asked for it; otherwise it was found by the clocks of the tracks, or is zero.
	Given bool `json:"given,omitempty"`
}
