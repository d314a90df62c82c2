package probe

import "github.com/reelgraph/reelgraph/internal/engine/ffmpeg"

// The kinds of source.
const (
	KindVideo = "video"
	KindAudio = "audio"
	KindImage = "image"
	KindMouse = "mouse"
)

// Info describes a source file. It is based on the bytes of the file more than on its headers. It is stored as JSON
// with the source, and every later command on the file reads it.
type Info struct {
	Format ffmpeg.Format `json:"format,omitempty"` // empty for mouse events
	Bytes  int64         `json:"bytes"`
	// DurationMs is the length of the readable part; 0 for a still.
	DurationMs int64 `json:"durationMs"`
	// Truncated means that the file ends before its header says; DurationMs is what is left.
	Truncated bool       `json:"truncated,omitempty"`
	Video     *VideoInfo `json:"video,omitempty"` // nil when there is none, or the kind is audio
	Audio     *AudioInfo `json:"audio,omitempty"` // nil when there is none
	// Origin is where its time begins; nil for old sources, for which it is looked up.
	Origin *Origin `json:"origin,omitempty"`
	// growing means that the file is still being uploaded, so measurements are not final.
	growing bool
	// MouseEvents is how many events a file of kind mouse holds.
	MouseEvents int `json:"mouseEvents,omitempty"`
}

// Origin is where a file's time begins, in microseconds of its own timestamps.
type Origin struct {
	// StartUs is the start time that FFmpeg gives the file; seeking counts from it.
	StartUs int64 `json:"startUs"`
	// ZeroUs is where recording time begins: at the first picture, if only padding of the sound precedes it. So frame n of
	// a recording with a constant rate is shown at n/fps in every container.
	ZeroUs int64 `json:"zeroUs"`
}

// VideoInfo describes the video stream that is used: the first one that is not a cover picture.
type VideoInfo struct {
	// Stream is its index in the file, for -map 0:<Stream>.
	Stream int `json:"stream"`
	// Width and Height are the size of the displayed picture: after rotation, with square pixels. FFmpeg rotates by itself
	// but keeps the pixel shape: see CodedWidth.
	Width  int `json:"width"`
	Height int `json:"height"`
	// CodedWidth and CodedHeight are the size of the frames that FFmpeg decodes, after rotation.
	CodedWidth  int `json:"codedWidth"`
	CodedHeight int `json:"codedHeight"`
	// Rotation is clockwise, in degrees: 0, 90, 180 or 270. Width and Height already include it.
	Rotation int `json:"rotation,omitempty"`
	// Turned means that the file asks to rotate or mirror its picture, which FFmpeg does by itself.
	Turned bool `json:"turned,omitempty"`
	// Orientation is the Exif orientation of an image; 0 means upright. FFmpeg does not apply it, the engine does. Width,
	// Height, CodedWidth and CodedHeight already include it.
	Orientation int `json:"orientation,omitempty"`
	// Fields is set for interlaced video, whose frames consist of two fields taken one after the other: "auto" if each
	// frame carries its field order, "tff" or "bff" if only the file does. Empty means not interlaced.
	Fields string `json:"fields,omitempty"`
	// Hole is the transparent color as 0xRRGGBB, if the decoder misses it; otherwise empty.
	Hole string `json:"hole,omitempty"`
	// Decoder is the FFmpeg decoder that reads the transparency, if the usual one does not; otherwise empty.
	Decoder string `json:"decoder,omitempty"`
	// FPSNum over FPSDen is the frame rate, the average one when VFR. Both are 0 for a still.
	FPSNum int64 `json:"fpsNum,omitempty"`
	FPSDen int64 `json:"fpsDen,omitempty"`
	// VFR means that frame n is not always shown at n/fps.
	VFR bool `json:"vfr,omitempty"`
	// Frames is the number of frames; when FramesEstimated it is computed from time and rate.
	Frames          int64 `json:"frames"`
	FramesEstimated bool  `json:"framesEstimated,omitempty"`
	// StartMs is when the first frame is shown, relative to the start of the file.
	StartMs int64  `json:"startMs,omitempty"`
	Codec   string `json:"codec"`
	PixFmt  string `json:"pixFmt"`
	// The color tags in FFmpeg's notation, empty when the file has none.
	ColorRange     string `json:"colorRange,omitempty"`
	ColorSpace     string `json:"colorSpace,omitempty"`
	ColorPrimaries string `json:"colorPrimaries,omitempty"`
	ColorTransfer  string `json:"colorTransfer,omitempty"`
}

// AudioInfo describes the sound that is used, and lists all sound tracks of a recording. ChooseSound chooses the
// sound.
type AudioInfo struct {
	// Stream is its index in the file, for -map 0:<Stream>.
	Stream     int    `json:"stream"`
	Codec      string `json:"codec"`
	SampleRate int    `json:"sampleRate"`
	Channels   int    `json:"channels"`
	// StartMs is when the sound begins, relative to the start of the file.
	StartMs int64 `json:"startMs,omitempty"`
	// Right is the stream of the right channel if Stream is mono and only the left one.
	Right *int `json:"right,omitempty"`
	// Side is the only audible channel, as in SoundTrack.
	Side string `json:"side,omitempty"`
	// Tracks lists all sounds that can be decoded; nil in sources probed before tracks were recorded.
	Tracks []SoundTrack `json:"tracks,omitempty"`
	// Measured means that all tracks were measured and the choice is final.
	Measured bool `json:"measured,omitempty"`
	// Spread is the channel of a microphone recording that is heard on both sides; see AsMicrophone.
	Spread string `json:"-"`
}
