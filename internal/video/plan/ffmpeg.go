package plan

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/reelgraph/reelgraph/internal/video/timeline"
)

// Filter is the chain that turns a source's picture, with its own timestamps, into exactly the
// chunk's frames. zeroUs is the timestamp in its file
// at which the recording begins.
//
// Which frame is shown is decided by whole numbers. The time base is made so fine that every
// timestamp and every millisecond is a whole number of it; fps rounds up from a start FrameSlackUs
// late, which shows at every instant the last frame that began by then; a speed is a rate and not a
// stretching of timestamps, which would round them. tpad stands first: it lets the last frame of a
// picture that ends before its sound be shown for good, and fps drops what comes too early.
//
// Repeated says that there are fewer pictures than frames, which show some of them again: they are scaled before that,
// and once each. The frames are the same either way.
func (d Draw) Filter(zeroUs int64, repeated bool) string {
	shown := append([]string{held}, frames(zeroUs+d.FromUs, d.FPS, d.Speed)...)
	shown = append(shown, fmt.Sprintf("fps=%d", d.FPS)) // drops none: the encoder is told a rate, which setpts may forget
	scaled := slices.Concat(d.Decoded.filter(d.Colour), d.Crop.filter(), d.fitting(), []string{"setsar=1", "format=yuv420p"})

	if repeated {
		shown, scaled = scaled, shown
	}

	return strings.Join(append(slices.Concat(d.Mended.filter(d.Decoded, d.Colour), shown, scaled), Tags), ",")
}

// Filter is the chain that turns a source's picture into exactly the frames of inputs that show it, each of whose takes
// begins behind the one before, as Draw's does. The pictures of each input have its own size.
//
// Of each take it counts the frames from its own beginning, so that a picture does not depend on what was shown before.
// Frames that are skipped are repetitions of one picture mostly, and cost nothing: the decoder was told to begin where
// the first is shown that is not. Filters keep their memory until the decoder ends, so that what is shown in the same
// way is scaled by one. Nothing behind the last concat looks at pictures, whose sizes it was told not to compare.
//
// Repeated is as Draw's. Pictures that are shown in several ways are always scaled last: each way would scale all of them.
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

// filter is the part of a filter that leaves a take's frames. The last one has no end: whoever decodes counts its frames.
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

// view is the part of a filter that decides which part of a picture is shown, in which size and colours.
func (in Input) view() string {
	format := "format=yuv420p"
	if in.Alpha {
		format = "format=yuva420p"
	}

	chain := slices.Concat(in.Decoded.filter(in.Colour), in.Crop.filter(), in.Colour.convert(in.Size))

	return strings.Join(append(chain, "setsar=1", format), ",")
}

// turns are the filters of Exif's orientations.
var turns = map[int][]string{ //nolint:gochecknoglobals // a constant
	2: {"hflip"}, 3: {"hflip", "vflip"}, 4: {"vflip"},
	5: {"transpose=cclock_flip"}, 6: {"transpose=clock"}, 7: {"transpose=clock_flip"}, 8: {"transpose=cclock"},
}

// filter comes before all others. What takes fields apart looks at the pictures before and behind, and may only see those of
// one size: decoded, in the source's own format.
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

// Filters are those of a still, whose fields are its own.
func (m Mended) Filters() []string {
	var chain []string

	if m.Hole != "" {
		chain = append(chain, "format=rgba", "colorkey="+m.Hole+":0.01")
	}

	return append(chain, turns[m.Orientation]...)
}

// held lets the last picture be shown for good.
const held = "tpad=stop_mode=clone:stop=-1"

// frames is the part of a chain that decides which pictures are shown.
func frames(fromUs, fps int64, speed timeline.Speed) []string {
	return []string{
		`settb=max(intb/1000\,1/2000000000)`,
		fmt.Sprintf("fps=fps=%d/%d:round=up:start_time=%s", fps*speed.Den, speed.Num, Seconds(fromUs+timeline.FrameSlackUs)),
		fmt.Sprintf("settb=1/%d", fps),
		"setpts=N",
	}
}

// filter brings pictures to a size and to the source's own format; what has them already passes as it is. What
// stands before it takes pictures of any size, what stands behind it only those it was made for.
func (s Size) filter(c Colour) []string {
	if s == (Size{}) {
		return nil
	}

	return []string{fmt.Sprintf("scale=%d:%d:flags=bicubic", s.Width, s.Height), "format=" + c.PixelFormat}
}

// filter cuts a picture to the box; nothing when it is the zero Box.
func (b Box) filter() []string {
	if b == (Box{}) {
		return nil
	}

	return []string{fmt.Sprintf("crop=%d:%d:%d:%d", b.Width, b.Height, b.X, b.Y)}
}

// fitting scales the picture into its box, in the colours of the export, and pads the rest.
func (d Draw) fitting() []string {
	chain := d.Colour.convert(d.Picture.Size)
	if d.Picture.Size != d.Frame {
		chain = append(chain, fmt.Sprintf("pad=%d:%d:%d:%d:black",
			d.Frame.Width, d.Frame.Height, d.Picture.X, d.Picture.Y))
	}

	return chain
}

// convert scales to a size and to BT.709, limited range. Nothing is converted that is so already.
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

	// Two steps: scale rounds white and grey down when it changes the matrix or the range, and zscale takes no picture whose
	// colours do not fit its sides, which have become even here.
	levels := c.levels("tv", "pc")

	return []string{
		scale + ":in_range=" + levels + ":out_range=" + levels,
		"zscale=min=" + name + ":rin=" + c.levels("limited", "full") + ":m=709:r=limited",
	}
}

// matrices are zscale's names of those that it knows.
var matrices = map[string]string{bt709: "709", "bt601": "170m", "bt2020": "2020_ncl"} //nolint:gochecknoglobals // a constant

// levels is one of two names, of the limited range and of the full.
func (c Colour) levels(limited, full string) string {
	if c.full() {
		return full
	}

	return limited
}

// simple brings pictures that have a palette, no colours, more than eight bits of each, or a rare order of them to those that
// the scaler converts exactly.
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

// evenSides costs a picture whose sides are even nothing. zscale scales in half the time that scale takes, by the
// same curve, but no picture whose colours do not fit its sides; a recording of a window may become one at any time.
// It is told the matrix and the range, so that no tag of a recording decides about them, at its beginning or later.
const evenSides = "crop=trunc(iw/2)*2:trunc(ih/2)*2:0:0"

// wide says that the colours are those of a high dynamic range, which are mapped to the export's.
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

// resolved names the matrix in the scaler's words. A picture that does not say which one its samples
// were made with is taken as its size suggests, as players do.
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

// Tags is the last filter in front of an encoder: it says of pictures that their colours are those of every export. What
// the encoder is told of them beside its pictures counts up to FFmpeg 6 only.
const Tags = "setparams=range=tv:colorspace=" + bt709 + ":color_primaries=" + bt709 + ":color_trc=" + bt709

// Keyframes come at least this often, in seconds, so that players seek quickly.
const keyframeSeconds = 5

// Encoding are the encoder's arguments, but for the Tags of its pictures. They are the same for all chunks of an output, so that the
// chunks can be joined as they are; the one thread per encoder makes chunks in parallel cheaper than
// one encoder with many.
func (d Draw) Encoding() []string { return encoding(d.FPS) }

// Encoding are the encoder's arguments: those of a Draw.
func (s Scene) Encoding() []string { return encoding(s.FPS) }

// encoding takes every frame for one: FFmpeg 8 repeats those whose length is not that of its rate if it may.
func encoding(fps int64) []string {
	return []string{
		"-fps_mode", "passthrough",
		"-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-profile:v", "high", "-pix_fmt", "yuv420p",
		"-threads:v", "1", "-g:v", strconv.FormatInt(keyframeSeconds*fps, 10),
		"-video_track_timescale", strconv.FormatInt(512*fps, 10),
	}
}

// Encoding are the sound encoder's arguments.
func (Mix) Encoding() []string {
	return []string{"-c:a", "aac", "-b:a", "160k", "-ar", strconv.Itoa(SampleRate), "-ac", "2"}
}

// Seconds writes microseconds as FFmpeg reads seconds.
func Seconds(us int64) string {
	sign := ""
	if us < 0 {
		sign, us = "-", -us
	}

	return fmt.Sprintf("%s%d.%06d", sign, us/1_000_000, us%1_000_000)
}
