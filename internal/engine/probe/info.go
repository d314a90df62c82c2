package probe

import "github.com/reelgraph/reelgraph/internal/engine/ffmpeg"

// The kinds of source that Probe tells apart.
const (
	KindVideo = "video"
	KindAudio = "audio"
	KindImage = "image"
	KindMouse = "mouse"
)

// Info is what a source really is, as its bytes show. It is stored as JSON with the source and read
// by every later command on the file.
type Info struct {
	Format ffmpeg.Format `json:"format,omitempty"` // empty for mouse events
	Bytes  int64         `json:"bytes"`
	// DurationMs is the length of what can be read; 0 for a still.
	DurationMs int64 `json:"durationMs"`
	// Truncated says that the file ends before its header says it does; DurationMs is what is left.
	Truncated bool       `json:"truncated,omitempty"`
	Video     *VideoInfo `json:"video,omitempty"` // nil when there is none, or the kind is audio
	Audio     *AudioInfo `json:"audio,omitempty"` // nil when there is none
	// Origin is where its time begins; nil, and then looked up, where nobody has noted it.
	Origin *Origin `json:"origin,omitempty"`
	// growing says that more of the file is to come: what is measured now is not all.
	growing bool
	// MouseEvents is how many events a file of kind mouse holds.
	MouseEvents int `json:"mouseEvents,omitempty"`
}

// Origin is where a file's time begins, in microseconds of its own timestamps.
type Origin struct {
	// StartUs is the start that FFmpeg gives the file: seeking counts from there.
	StartUs int64 `json:"startUs"`
	// ZeroUs is where recording time begins: at the first picture, when only padding of the sound lies
	// before it. Frame n of a recording of a constant rate is therefore shown at n/fps, whatever the
	// container.
	ZeroUs int64 `json:"zeroUs"`
}

// VideoInfo describes the one video stream that is used: the first that is not a cover picture.
type VideoInfo struct {
	// Stream is its index in the file, for -map 0:<Stream>.
	Stream int `json:"stream"`
	// Width and Height are of the picture as displayed: turned by its rotation, its pixels square.
	// FFmpeg turns by itself but leaves the pixels as they are: see CodedWidth.
	Width  int `json:"width"`
	Height int `json:"height"`
	// CodedWidth and CodedHeight are of the frames that FFmpeg decodes, after it turned them.
	CodedWidth  int `json:"codedWidth"`
	CodedHeight int `json:"codedHeight"`
	// Rotation is clockwise, in degrees: 0, 90, 180 or 270. It is in Width and Height already.
	Rotation int `json:"rotation,omitempty"`
	// Turned says that the file asks for its picture to be turned or mirrored: FFmpeg does so by itself.
	Turned bool `json:"turned,omitempty"`
	// Orientation is how an image wants to be turned, in Exif's numbers; 0 is as it is stored. We turn it ourselves, and
	// FFmpeg does not: it is in Width and Height, CodedWidth and CodedHeight already.
	Orientation int `json:"orientation,omitempty"`
	// Fields says that frames are made of two fields each, which were taken one after the other: "auto" where each frame
	// says so itself, "tff" or "bff", which field comes first, where only the file does. Empty is none.
	Fields string `json:"fields,omitempty"`
	// Hole is the colour, as 0xRRGGBB, that is transparent, where the decoder does not know; empty is none.
	Hole string `json:"hole,omitempty"`
	// Decoder is the decoder of FFmpeg that shows its transparency, where the usual one does not; empty is the usual one.
	Decoder string `json:"decoder,omitempty"`
	// FPSNum over FPSDen is the frame rate, on average when VFR. Both are 0 for a still.
	FPSNum int64 `json:"fpsNum,omitempty"`
	FPSDen int64 `json:"fpsDen,omitempty"`
	// VFR says that frame n is not always shown at n/fps.
	VFR bool `json:"vfr,omitempty"`
	// Frames is how many there are; when FramesEstimated it is only computed from time and rate.
	Frames          int64 `json:"frames"`
	FramesEstimated bool  `json:"framesEstimated,omitempty"`
	// StartMs is when the first frame is shown, counted from the start of the file.
	StartMs int64  `json:"startMs,omitempty"`
	Codec   string `json:"codec"`
	PixFmt  string `json:"pixFmt"`
	// The colour tags, empty when the file does not say, in FFmpeg's words.
	ColorRange     string `json:"colorRange,omitempty"`
	ColorSpace     string `json:"colorSpace,omitempty"`
	ColorPrimaries string `json:"colorPrimaries,omitempty"`
	ColorTransfer  string `json:"colorTransfer,omitempty"`
}

// AudioInfo describes the sound that is heard, and all that a recording has: see ChooseSound.
type AudioInfo struct {
	// Stream is its index in the file, for -map 0:<Stream>.
	Stream     int    `json:"stream"`
	Codec      string `json:"codec"`
	SampleRate int    `json:"sampleRate"`
	Channels   int    `json:"channels"`
	// StartMs is when the sound begins, counted from the start of the file.
	StartMs int64 `json:"startMs,omitempty"`
	// Right is the stream of the right channel, where Stream, which is mono, is only the left one.
	Right *int `json:"right,omitempty"`
	// Side is the only channel in which something is heard, as in SoundTrack.
	Side string `json:"side,omitempty"`
	// Tracks are all sounds that can be decoded; nil where nobody has noted them.
	Tracks []SoundTrack `json:"tracks,omitempty"`
	// Measured says that all tracks were listened to, and that the choice is final.
	Measured bool `json:"measured,omitempty"`
	// Spread is the channel that is heard in both, of a microphone; see AsMicrophone.
	Spread string `json:"-"`
}
