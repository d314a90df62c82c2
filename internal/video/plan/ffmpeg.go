package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/reelgraph/reelgraph/internal/video/timeline"
)

// Filter returns FFmpeg's filter chain for a chunk. The chain turns the pictures of a source into exactly the frames
// of the chunk. The pictures have the timestamps of the file, and zeroUs is the timestamp at which the recording
// begins.
//
// Only integer arithmetic decides which frame is shown. The time base is so fine that every timestamp and every
// millisecond is a multiple of it. The filter fps rounds up from a start that is FrameSlackUs late, so each moment
// shows the last frame that began by then. A speed is applied as a frame rate, because stretching timestamps would
// round them. The filter tpad comes first: it repeats the last frame of a picture that ends before its sound. The
// filter fps drops frames that come too early.
//
// Set repeated if there are fewer pictures than frames, so that some pictures are shown more than once. The chain then
// scales each picture once, before it is repeated. The resulting frames do not depend on repeated.
func (d Draw) Filter(zeroUs int64, repeated bool) string {
	shown := append([]string{held}, frames(zeroUs+d.FromUs, d.FPS, d.Speed)...)
	shown = append(shown, fmt.Sprintf("fps=%d", d.FPS)) // drops no frame: the encoder needs a rate, which setpts may lose
	scaled := slices.Concat(d.Decoded.filter(d.Colour), d.Crop.filter(), d.fitting(), []string{"setsar=1", "format=yuv420p"})

	if repeated {
		shown, scaled = scaled, shown
	}

	return strings.Join(append(slices.Concat(d.Mended.filter(d.Decoded, d.Colour), shown, scaled), Tags), ",")
}

// Filter returns FFmpeg's filter graph for the inputs of a scene that show the same source. The graph turns the
// pictures of the source into exactly the frames of these inputs, as Draw.Filter does for a chunk. Each take begins
// after the previous one. Each input has its own picture size.
//
// The frames of a take are counted from the beginning of the take, so a picture does not depend on earlier takes.
// Skipped frames are mostly repetitions of one picture and cost nothing, because the decoder starts at the first frame
// shown. Filters keep their memory until the decoder ends, so one scaler serves all pictures that are shown in the
// same way. No filter after the last concat looks at the pictures, so concat does not compare their sizes.
//
// The parameter repeated has the same meaning as in Draw.Filter, but only if there is one input. Pictures of several
// inputs are always scaled last, because otherwise each input would scale all pictures.
func Filter(views []Input, fps int64, speed timeline.Speed, zeroUs int64, repeated bool) string {
	var all, chains, ends []string

	first, view := held, func(in Input) string { return "," + in.view() }
	if len(views) == 1 && repeated {
		first, view = views[0].view()+","+held, func(Input) string { return "" }
	}

	for i, in := range views {
		var takes []string

		for k, take := range in.Takes {
			n := len(all)
			last := i == len(views)-1 && k == len(in.Takes)-1

			all = append(all, fmt.Sprintf("[all%d]", n))
			takes = append(takes, fmt.Sprintf("[take%d]", n))
			chains = append(chains, all[n]+take.filter(fps, speed, zeroUs, last)+takes[k])
		}

		ends = append(ends, fmt.Sprintf("[view%d]", i))
		chains = append(chains, fmt.Sprintf("%sconcat=n=%d,setpts=N%s%s", strings.Join(takes, ""), len(takes), view(in), ends[i]))
	}

	first = strings.Join(append(views[0].Mended.filter(views[0].Decoded, views[0].Colour), first), ",")

	if len(all) == 1 {
		return first + "," + views[0].Takes[0].filter(fps, speed, zeroUs, true) + view(views[0])
	}

	return fmt.Sprintf("%s,split=%d%s;%s;%sconcat=n=%d:unsafe=1,setpts=N",
		first, len(all), strings.Join(all, ""), strings.Join(chains, ";"), strings.Join(ends, ""), len(views))
}

// filter returns the filters that select a take's frames. The last take has no end: the decoder counts its frames.
func (t Take) filter(fps int64, speed timeline.Speed, zeroUs int64, last bool) string {
	chain := frames(zeroUs+t.FromUs, fps, speed)

	switch {
	case !last:
		chain = append(chain, fmt.Sprintf("trim=start_frame=%d:end_frame=%d", t.Skip, t.Skip+t.Frames))
	case t.Skip > 0:
		chain = append(chain, fmt.Sprintf("trim=start_frame=%d", t.Skip))
	}

	return strings.Join(chain, ",")
}

// view returns the filters that set the part, the size and the colours of a picture.
func (in Input) view() string {
	format := "format=yuv420p"
	if in.Alpha {
		format = "format=yuva420p"
	}

	chain := slices.Concat(in.Decoded.filter(in.Colour), in.Crop.filter(), in.Colour.convert(in.Size))

	return strings.Join(append(chain, "setsar=1", format), ",")
}

// turns maps Exif orientations to filters.
var turns = map[int][]string{ //nolint:gochecknoglobals // a constant
	2: {"hflip"}, 3: {"hflip", "vflip"}, 4: {"vflip"},
	5: {"transpose=cclock_flip"}, 6: {"transpose=clock"}, 7: {"transpose=clock_flip"}, 8: {"transpose=cclock"},
}

// filter comes before all other filters. Deinterlacing compares a picture with its neighbours, which must be of one size:
// as decoded, in the source's own format.
func (m Mended) filter(decoded Size, c Colour) []string {
	chain := m.Filters()
	if m.Fields == "" {
		return chain
	}

	chain = append(chain, decoded.filter(c)...)

	if m.Fields == "auto" {
		return append(chain, "bwdif=mode=send_frame:parity=auto:deint=interlaced")
	}

	return append(chain, "setfield="+m.Fields, "bwdif=mode=send_frame:parity=auto:deint=interlaced")
}

// Filters returns the filters that mend a still: they make its transparent color transparent and rotate it. A still
// needs no deinterlacing.
func (m Mended) Filters() []string {
	var chain []string

	if m.Hole != "" {
		chain = append(chain, "format=rgba", "colorkey="+m.Hole+":0.01")
	}

	return append(chain, turns[m.Orientation]...)
}

// held is the filter that repeats the last picture endlessly.
const held = "tpad=stop_mode=clone:stop=-1"

// frames returns the filters that choose the pictures to show.
func frames(fromUs, fps int64, speed timeline.Speed) []string {
	return []string{
		`settb=max(intb/1000\,1/2000000000)`,
		fmt.Sprintf("fps=fps=%d/%d:round=up:start_time=%s", fps*speed.Den, speed.Num, Seconds(fromUs+timeline.FrameSlackUs)),
		fmt.Sprintf("settb=1/%d", fps),
		"setpts=N",
	}
}

// filter returns the filters that scale pictures to a size in the source's own format. Pictures that already have this
// size pass unchanged. Filters before it get pictures of any size; filters after it get only pictures of this size.
func (s Size) filter(c Colour) []string {
	if s == (Size{}) {
		return nil
	}

	return []string{fmt.Sprintf("scale=%d:%d:flags=bicubic", s.Width, s.Height), "format=" + c.PixelFormat}
}

// filter crops a picture to the box; the zero Box crops nothing.
func (b Box) filter() []string {
	if b == (Box{}) {
		return nil
	}

	return []string{fmt.Sprintf("crop=%d:%d:%d:%d", b.Width, b.Height, b.X, b.Y)}
}

// fitting scales the picture into its box, converts it to the colours of the export and pads the rest.
func (d Draw) fitting() []string {
	chain := d.Colour.convert(d.Picture.Size)
	if d.Picture.Size != d.Frame {
		chain = append(chain, fmt.Sprintf("pad=%d:%d:%d:%d:black",
			d.Frame.Width, d.Frame.Height, d.Picture.X, d.Picture.Y))
	}

	return chain
}

// convert scales to a size and to BT.709, limited range. It skips conversions that are not needed.
func (c Colour) convert(to Size) []string {
	scale := fmt.Sprintf("scale=%d:%d:flags=bicubic", to.Width, to.Height)

	switch {
	case c.wide():
		return []string{
			scale,
			"zscale=transfer=linear:npl=100", "format=gbrpf32le", "zscale=primaries=bt709",
			"tonemap=hable:desat=0", "zscale=transfer=bt709:matrix=bt709:range=tv", "format=yuv420p",
		}
	case c.rgb():
		return append(c.simple(), scale+":out_color_matrix=bt709:out_range=tv")
	case c.Matrix == bt709 && !c.full():
		if c.PixelFormat != "yuv420p" {
			return []string{scale}
		}

		return []string{evenSides, fmt.Sprintf("zscale=%d:%d:filter=bicubic:param_a=0:param_b=0.6:min=709:m=709:r=limited", to.Width, to.Height)}
	}

	name, known := matrices[c.Matrix]
	if !known {
		return []string{scale + ":in_color_matrix=" + c.Matrix + ":out_color_matrix=bt709:out_range=tv:in_range=" + c.levels("tv", "pc")}
	}

	// Two steps: scale rounds white and grey down when it changes the matrix or the range, and zscale rejects pictures whose
	// sides do not match their chroma subsampling. The sides are even here.
	levels := c.levels("tv", "pc")

	return []string{
		scale + ":in_range=" + levels + ":out_range=" + levels,
		"zscale=min=" + name + ":rin=" + c.levels("limited", "full") + ":m=709:r=limited",
	}
}

// matrices are the names of the matrices that zscale knows.
var matrices = map[string]string{bt709: "709", "bt601": "170m", "bt2020": "2020_ncl"} //nolint:gochecknoglobals // a constant

// levels returns the limited or the full name, by the range.
func (c Colour) levels(limited, full string) string {
	if c.full() {
		return full
	}

	return limited
}

// simple converts pictures with a palette, no colours, more than eight bits per colour or a rare plane order to formats
// that the scaler converts exactly.
func (c Colour) simple() []string {
	starts := func(prefixes ...string) bool {
		return slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(c.PixelFormat, p) })
	}

	switch {
	case starts("pal8", "ya", "rgba64", "bgra64", "gbrap1", "argb", "abgr"):
		return []string{"format=rgba"}
	case starts("gray", "mono", "rgb48", "bgr48", "gbrp1", "gbrp9", "x2rgb", "x2bgr", "bgr24", "0rgb", "0bgr"):
		return []string{"format=rgb24"}
	default:
		return nil
	}
}

// evenSides costs nothing for even sides. zscale takes half the time of scale for the same curve, but rejects pictures whose
// sides do not match their chroma subsampling, and a recording of a window may get such sides at any time. The matrix and
// the range are set explicitly, so that no tag in the recording decides them, at its beginning or later.
const evenSides = "crop=trunc(iw/2)*2:trunc(ih/2)*2:0:0"

// wide reports whether the picture has a high dynamic range, which is mapped to the colours of the export.
func (c Colour) wide() bool { return c.Transfer == "smpte2084" || c.Transfer == "arib-std-b67" }

func (c Colour) rgb() bool {
	for _, prefix := range []string{
		"rgb", "bgr", "gbr", "argb", "abgr", "0rgb", "0bgr", "x2rgb", "x2bgr", "pal8", "gray", "mono", "ya8", "ya16",
	} {
		if strings.HasPrefix(c.PixelFormat, prefix) {
			return true
		}
	}

	return false
}

func (c Colour) full() bool { return c.Range == "pc" || strings.HasPrefix(c.PixelFormat, "yuvj") }

// bt709 is FFmpeg's name for the matrix, the primaries and the transfer of every export.
const bt709 = "bt709"

// resolved returns the matrix in the scaler's names. A picture without a matrix gets the one that its size suggests, as in
// players.
func (c Colour) resolved(of Size) Colour {
	switch c.Matrix {
	case bt709, "fcc", "smpte240m", "bt2020":
	case "bt2020nc", "bt2020c":
		c.Matrix = "bt2020"
	case "bt470bg", "smpte170m":
		c.Matrix = "bt601"
	default:
		c.Matrix = bt709
		if min(of.Width, of.Height) < 720 {
			c.Matrix = "bt601"
		}
	}

	return c
}

// Tags is the last filter before an encoder: it tags pictures with the colors of every export. The encoder's own
// color options work only up to FFmpeg 6.
const Tags = "setparams=range=tv:colorspace=" + bt709 + ":color_primaries=" + bt709 + ":color_trc=" + bt709

// keyframeSeconds is the longest time between key frames, so that players seek quickly.
const keyframeSeconds = 5

// Encoding returns the arguments of the encoder, without Tags. They are the same for all chunks of an output, so that
// chunks can be joined without encoding them again. An encoder has one thread, because chunks in parallel are cheaper
// than one encoder with many threads.
func (d Draw) Encoding() []string { return encoding(d.FPS) }

// Encoding returns the arguments of the encoder, which are the same as those of a Draw.
func (s Scene) Encoding() []string { return encoding(s.FPS) }

// encoding passes every frame through once: FFmpeg 8 may otherwise repeat frames whose length does not match the rate.
func encoding(fps int64) []string {
	return []string{
		"-fps_mode", "passthrough",
		"-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-profile:v", "high", "-pix_fmt", "yuv420p",
		"-threads:v", "1", "-g:v", strconv.FormatInt(keyframeSeconds*fps, 10),
		"-video_track_timescale", strconv.FormatInt(512*fps, 10),
	}
}

// Encoding returns the arguments of the sound encoder.
func (Mix) Encoding() []string {
	return []string{"-c:a", "aac", "-b:a", "160k", "-ar", strconv.Itoa(SampleRate), "-ac", "2"}
}

// Seconds returns a time in microseconds as a number of seconds in the form that FFmpeg reads.
func Seconds(us int64) string {
	sign := ""
	if us < 0 {
		sign, us = "-", -us
	}

	return fmt.Sprintf("%s%d.%06d", sign, us/1_000_000, us%1_000_000)
}
