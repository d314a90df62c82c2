package values

// Offsets are the start times of the tracks of a recording, relative to the screen, or to the camera if there is no
// screen.
type Offsets struct {
	Camera     Offset `json:"camera,omitzero"`
	Microphone Offset `json:"microphone,omitzero"`
	Mouse      Offset `json:"mouse,omitzero"`
}

// Offset is the start time of one track.
type Offset struct {
	Ms int64 `json:"ms"`
	// Given means that a user set it; otherwise it comes from the clocks of the tracks, or is zero.
	Given bool `json:"given,omitempty"`
}
