package probe

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
)

// description is ffprobe's report on a file, before any frame is decoded.
type description struct {
	Format struct {
		Start    string `json:"start_time"`
		Duration string `json:"duration"`
		Streams  int    `json:"nb_streams"`
	} `json:"format"`
	Streams []stream `json:"streams"`
	Packets []packet `json:"packets"` // the first, at most headPackets
}

type stream struct {
	Index      int    `json:"index"`
	Type       string `json:"codec_type"`
	Codec      string `json:"codec_name"`
	Tag        string `json:"codec_tag_string"`
	Width      int    `json:"width"`
	Height     int    `json:"height"`
	PixFmt     string `json:"pix_fmt"`
	Range      string `json:"color_range"`
	Space      string `json:"color_space"`
	Primaries  string `json:"color_primaries"`
	Transfer   string `json:"color_transfer"`
	LowestRate string `json:"r_frame_rate"`
	MeanRate   string `json:"avg_frame_rate"`
	TimeBase   string `json:"time_base"`
	Start      string `json:"start_time"`
	Duration   string `json:"duration"`
	Frames     string `json:"nb_frames"`
	SampleRate string `json:"sample_rate"`
	Channels   int    `json:"channels"`
	FieldOrder string `json:"field_order"`
	Is         struct {
		Cover   int `json:"attached_pic"`
		Default int `json:"default"`
	} `json:"disposition"`
	Tags     map[string]string `json:"tags"`
	SideData []sideData        `json:"side_data_list"`
}

type sideData struct {
	Rotation *float64 `json:"rotation"` // of a display matrix, zero too
}

// headPackets is how many packets are read with the headers. A file with fewer is completely known.
const headPackets = 3000

const describedEntries = "format=duration,start_time,nb_streams" +
	":stream=index,codec_type,codec_name,codec_tag_string,width,height,pix_fmt,r_frame_rate,avg_frame_rate," +
	"time_base,start_time,duration,nb_frames,color_range,color_space,color_primaries,color_transfer,sample_rate,channels,field_order" +
	":stream_disposition=attached_pic,default:stream_tags=alpha_mode,ALPHA_MODE,DURATION,language,title" +
	":stream_side_data=rotation:" + packetEntries

// describe reads the headers and the first packets.
func describe(ctx context.Context, t ffmpeg.Tools, f ffmpeg.Format, path string) (*description, error) {
	var d description

	args := append([]string{
		"-of", "json", "-show_entries", describedEntries,
		"-read_intervals", fmt.Sprintf("%%+#%d", headPackets),
	}, f.Input(path, "-threads", "1")...)
	if err := ffprobeJSON(ctx, t, f, args, &d); err != nil {
		return nil, err
	}

	return &d, nil
}

func ffprobeJSON(ctx context.Context, t ffmpeg.Tools, f ffmpeg.Format, args []string, into any) error {
	out := capped{max: 16 << 20}

	err := t.Run(ctx, ffmpeg.Command{Program: t.FFprobe, Args: args, Stdout: &out, Limits: Limits()})
	if out.over {
		err = errors.Join(err, errTooMuch)
	}

	if err := Verdict(ctx, f, err); err != nil {
		return err
	}

	if err := json.Unmarshal(out.Bytes(), into); err != nil {
		return ffmpeg.Refuse(ffmpeg.CodeDamaged, "The description of the file cannot be read: the file is damaged.").WithCause(err)
	}

	return nil
}

// errTooMuch means that a program reported more about a file than any real recording has.
var errTooMuch = errors.New("the program wrote too much output")

// capped keeps what is written to it, up to a maximum.
type capped struct {
	bytes.Buffer
	max  int
	over bool
}

// Write returns an error when the total size exceeds the maximum.
func (c *capped) Write(b []byte) (int, error) {
	if c.Len()+len(b) > c.max {
		c.over = true

		return 0, errTooMuch
	}

	return c.Buffer.Write(b)
}

// choose picks the streams to use and fills in what their headers say.
func (d *description) choose(kind string, info *Info) error {
	if d.Format.Streams > ffmpeg.MaxStreams {
		return ffmpeg.Refuse(ffmpeg.CodeTooLarge, "The file has more than %d streams.", ffmpeg.MaxStreams)
	}

	video, strangeVideo := d.first("video")
	audio, strangeAudio := d.first("audio")

	if kind == KindVideo {
		switch {
		case video == nil && strangeVideo != nil:
			return ffmpeg.Refuse(ffmpeg.CodeUnsupported, "The video is in a format that cannot be decoded (%q).", strangeVideo.Tag)
		case video == nil && audio != nil:
			return ffmpeg.Refuse(ffmpeg.CodeNoVideo, "The file has sound but no video. Add it as a source of kind audio.")
		case video == nil:
			return ffmpeg.Refuse(ffmpeg.CodeNoVideo, "The file has no video.")
		}
		// ffprobe reports no size that is over the limit; then the decoder fails.
		if video.Width > 0 {
			if err := checkSize(video.Width, video.Height); err != nil {
				return err
			}
		}

		info.Video = video.video()
	}

	if kind == KindAudio && audio == nil {
		switch {
		case strangeAudio != nil:
			return ffmpeg.Refuse(ffmpeg.CodeUnsupported, "The sound is in a format that cannot be decoded (%q).", strangeAudio.Tag)
		case video != nil:
			return ffmpeg.Refuse(ffmpeg.CodeNoAudio, "The file has video but no sound.")
		}

		return ffmpeg.Refuse(ffmpeg.CodeNoAudio, "The file has no sound.")
	}

	if audio == nil {
		return nil
	}

	rate, err := strconv.Atoi(audio.SampleRate)
	if err != nil || rate < 1000 || rate > 768_000 || audio.Channels < 1 || audio.Channels > maxChannels {
		return ffmpeg.Refuse(ffmpeg.CodeDamaged, "The sample rate or the number of channels of the sound is invalid.")
	}

	info.Audio = &AudioInfo{Stream: audio.Index, Codec: audio.Codec, SampleRate: rate, Channels: audio.Channels, Tracks: d.tracks()}
	info.Audio.ChooseSound()

	return nil
}

// first returns the first stream of a type that can be decoded, or else the first that cannot. Cover pictures and timed
// thumbnails are not video.
func (d *description) first(kind string) (known, strange *stream) {
	for i := range d.Streams {
		s := &d.Streams[i]
		if s.Type != kind || s.Is.Cover != 0 {
			continue
		}

		if s.known() {
			return s, nil
		}

		if strange == nil {
			strange = s
		}
	}

	return nil, strange
}

// known reports whether FFmpeg knows the codec of the stream.
func (s *stream) known() bool { return s.Codec != "" && s.Codec != "unknown" && s.Codec != "none" }

func (s *stream) video() *VideoInfo {
	v := &VideoInfo{
		Stream: s.Index, Codec: s.Codec, PixFmt: s.PixFmt,
		ColorRange: s.Range, ColorSpace: s.Space, ColorPrimaries: s.Primaries, ColorTransfer: s.Transfer,
	}
	for _, sd := range s.SideData {
		if sd.Rotation != nil { // ffprobe counts it counterclockwise
			v.Rotation = ((-int(math.Round(*sd.Rotation/90))*90)%360 + 360) % 360
			v.Turned = true
		}
	}

	v.Decoder = s.alphaDecoder()
	v.Fields = s.fields()

	return v
}

// alphaDecoder returns the decoder that reads the transparency which WebM keeps beside the stream; FFmpeg's own
// decoders of these codecs drop it. Empty means the usual decoder.
func (s *stream) alphaDecoder() string {
	if s.tag("alpha_mode") != "1" || s.PixFmt != "yuv420p" {
		return ""
	}

	return map[string]string{"vp8": "libvpx", "vp9": "libvpx-vp9"}[s.Codec]
}

// Values of VideoInfo.Fields.
const (
	fieldsAuto       = "auto"
	topFieldFirst    = "tff"
	bottomFieldFirst = "bff"
)

// fields returns what the headers say about fields; the first picture may overrule it. The field order of the headers
// is used only for codecs whose frames do not carry it. HEVC needs nothing: FFmpeg makes a frame of each of its fields.
func (s *stream) fields() string {
	switch s.Codec {
	case "hevc", "vp8", "vp9", "av1":
		return ""
	case "huffyuv", "ffvhuff", "utvideo", "png", "qtrle", "v210", "r210", "magicyuv", "jpeg2000", "cfhd", "hap":
		// "tb" and "bt" have the meaning that FFmpeg writes and its decoders read, which differs from their names.
		return map[string]string{"tt": topFieldFirst, "tb": topFieldFirst, "bb": bottomFieldFirst, "bt": bottomFieldFirst}[s.FieldOrder]
	}

	if slices.Contains([]string{"tt", "bb", "tb", "bt"}, s.FieldOrder) {
		return fieldsAuto
	}

	return ""
}

// tag returns a tag of the stream. The case of its name does not matter.
func (s *stream) tag(name string) string {
	for key, value := range s.Tags {
		if strings.EqualFold(key, name) {
			return value
		}
	}

	return ""
}

// stream returns the stream with an index.
func (d *description) stream(index int) *stream {
	for i := range d.Streams {
		if d.Streams[i].Index == index {
			return &d.Streams[i]
		}
	}

	return &stream{}
}

func (d *description) durationMs() int64 { return seconds(d.Format.Duration) }

func (d *description) startMs() int64 { return seconds(d.Format.Start) }

// frames returns the container's count of the frames of the main stream; 0 if it has none.
func (d *description) frames(info *Info) int64 {
	n, err := strconv.ParseInt(d.stream(mainStream(info)).Frames, 10, 64)
	if err != nil {
		return 0
	}

	return n
}

// mainStream returns the index of the video stream, or else of the sound.
func mainStream(info *Info) int {
	if info.Video != nil {
		return info.Video.Stream
	}

	return info.Audio.Stream
}

// believe takes the rate and the number of frames from the headers.
func (d *description) believe(info *Info, even bool) {
	d.starts(info, d.startMs())

	v := info.Video
	if v == nil {
		return
	}

	s := d.stream(v.Stream)

	mean, lowest := rational(s.MeanRate), rational(s.LowestRate)
	if mean.num == 0 {
		mean = lowest
	}

	v.FPSNum, v.FPSDen = mean.num, mean.den
	v.VFR = !even || !lowest.near(mean) && !lowest.near(ratio{mean.num * 2, mean.den})

	v.Frames = d.frames(info)
	if v.Frames == 0 && v.FPSDen > 0 {
		v.Frames = int64(math.Round(float64(info.DurationMs) * float64(v.FPSNum) / float64(v.FPSDen) / 1000))
		v.FramesEstimated = true
	}
}

// starts sets when each stream begins, relative to the start of the file.
func (d *description) starts(info *Info, origin int64) {
	if v := info.Video; v != nil {
		v.StartMs = max(0, seconds(d.stream(v.Stream).Start)-origin)
	}

	if a := info.Audio; a != nil {
		a.StartMs = max(0, seconds(d.stream(a.Stream).Start)-origin)
	}
}

// sampled reports whether the first frames of the video come evenly at the mean rate, and whether an edit list hides
// any of them, which the container's frame count does not consider.
func (d *description) sampled(info *Info) (even, hidden bool) {
	if info.Video == nil {
		return true, false
	}

	var times clock

	for _, p := range d.Packets {
		if p.Stream == info.Video.Stream {
			times.add(p)
			hidden = hidden || p.unseen()
		}
	}

	s := d.stream(info.Video.Stream)

	return evenly(times.ascending(), rational(s.TimeBase), rational(s.MeanRate)), hidden
}

// ratio is a rational number as FFmpeg writes it; 0/1 if it is invalid.
type ratio struct{ num, den int64 }

func rational(s string) ratio {
	num, den, _ := strings.Cut(s, "/")
	n, err1 := strconv.ParseInt(num, 10, 64)

	d, err2 := strconv.ParseInt(den, 10, 64)
	if err1 != nil || err2 != nil || n <= 0 || d <= 0 || n > 1<<40 || d > 1<<40 {
		return ratio{0, 1}
	}

	return ratio{n, d}
}

func (r ratio) float() float64 { return float64(r.num) / float64(r.den) }

func (r ratio) near(o ratio) bool { return math.Abs(r.float()-o.float()) <= 0.005*o.float() }

// seconds parses decimal seconds and returns milliseconds; 0 if it is invalid.
func seconds(s string) int64 {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(f) || math.Abs(f) > 1e9 {
		return 0
	}

	return int64(math.Round(f * 1000))
}

// damaged translates FFmpeg's error into a refusal for the user.
func damaged(f ffmpeg.Format, stderr string) *ffmpeg.Refused {
	switch {
	case strings.Contains(stderr, "exceeds specified max pixel count"):
		return ffmpeg.Refuse(ffmpeg.CodeTooLarge, "The picture is too large: at most %d million pixels are allowed.", ffmpeg.MaxPixels/1_000_000)
	case strings.Contains(stderr, "moov atom not found"):
		return ffmpeg.Refuse(ffmpeg.CodeDamaged,
			"The file ends before its index (the MP4 \"moov\" box): the recording or its upload was cut off.")
	case strings.Contains(stderr, "format but not on the whitelist"), strings.Contains(stderr, "not on whitelist"):
		return ffmpeg.Refuse(ffmpeg.CodeUnsupported, "The file refers to other files or addresses, which is not allowed.")
	case strings.Contains(stderr, "Decoder (codec"), strings.Contains(stderr, "no decoder found"):
		return ffmpeg.Refuse(ffmpeg.CodeUnsupported, "The file is %s, but its content cannot be decoded.", f)
	default:
		return ffmpeg.Refuse(ffmpeg.CodeDamaged, "The file starts like %s but cannot be read: it is damaged or incomplete.", f)
	}
}
