package values

// Offsets are the starts of a recording's tracks, relative to its screen or, without one, to its camera.
type Offsets struct {
	Camera     Offset `json:"camera,omitzero"`
	Microphone Offset `json:"microphone,omitzero"`
	Mouse      Offset `json:"mouse,omitzero"`
}

// Offset is the start of one track.
type Offset struct {
	Ms int64 `json:"ms"`
	// Given means that a user set it; otherwise it comes from the clocks of the tracks, or is zero.
	Given bool `json:"given,omitempty"`
}
