package plan_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

const timing = `tpad=stop_mode=clone:stop=-1,settb=max(intb/1000\,1/2000000000),`

const tags = "setparams=range=tv:colorspace=bt709:color_primaries=bt709:color_trc=bt709"

func draw() plan.Draw {
	full := plan.Size{Width: 1920, Height: 1080}

	return plan.Draw{
		FromUs: 20_033_333, Frames: 300, FPS: 30, Speed: timeline.Normal(), Frame: full,
		Picture: plan.Box{Size: full}, Colour: plan.Colour{Matrix: "bt709"},
	}
}

func TestFilter(t *testing.T) {
	t.Parallel()

	d := draw()
	require.Equal(t, timing+"fps=fps=30/1:round=up:start_time=20.034343,settb=1/30,setpts=N,fps=30,"+
		"scale=1920:1080:flags=bicubic,setsar=1,format=yuv420p,"+tags, d.Filter(0, false))

	d.FPS, d.Speed = 60, timeline.Speed{Num: 7, Den: 4}
	d.Picture = plan.Box{X: 240, Size: plan.Size{Width: 1440, Height: 1080}}
	d.Colour = plan.Colour{Matrix: "bt601", Range: "pc"}
	require.Equal(t, timing+"fps=fps=240/7:round=up:start_time=20.057343,settb=1/60,setpts=N,fps=60,"+
		"scale=1440:1080:flags=bicubic:in_range=pc:out_range=pc,zscale=min=170m:rin=full:m=709:r=limited,"+
		"pad=1920:1080:240:0:black,setsar=1,format=yuv420p,"+tags, d.Filter(23_000, false))
	require.Equal(t, "scale=1440:1080:flags=bicubic:in_range=pc:out_range=pc,zscale=min=170m:rin=full:m=709:r=limited,"+
		"pad=1920:1080:240:0:black,setsar=1,format=yuv420p,"+
		timing+"fps=fps=240/7:round=up:start_time=20.057343,settb=1/60,setpts=N,fps=60,"+tags, d.Filter(23_000, true))
}

func TestFilterColours(t *testing.T) {
	t.Parallel()

	for want, colour := range map[string]plan.Colour{
		"crop=trunc(iw/2)*2:trunc(ih/2)*2:0:0,zscale=1920:1080:filter=bicubic:param_a=0:param_b=0.6:min=709:m=709:r=limited,setsar": {
			Matrix: "bt709", Range: "tv", PixelFormat: "yuv420p",
		},
		"bicubic,setsar":                                             {Matrix: "bt709", Range: "tv", PixelFormat: "nv12"},
		"zscale=min=2020_ncl:rin=limited:m=709":                      {Matrix: "bt2020"},
		":in_color_matrix=fcc:out_color_matrix=bt709:out_range=tv":   {Matrix: "fcc"},
		"format=rgba,scale=1920:1080:flags=bicubic:out_color_matrix": {Matrix: "bt709", PixelFormat: "pal8"},
		"format=rgb24,scale":                                         {Matrix: "bt709", PixelFormat: "gray"},
		"bicubic:out_color_matrix=bt709":                             {Matrix: "bt709", PixelFormat: "gbrp"},
		"in_range=pc":                                                {Matrix: "bt709", PixelFormat: "yuvj420p"},
		"tonemap=hable":                                              {Matrix: "bt2020", Transfer: "arib-std-b67"},
	} {
		d := draw()
		d.Colour = colour
		require.Contains(t, d.Filter(0, false), want)
	}
}

// A picture without a matrix gets the one that its size suggests.
func TestColourIsResolved(t *testing.T) {
	t.Parallel()

	for matrix, want := range map[string]string{
		"": "bt709", "unknown": "bt709", "smpte170m": "bt601", "bt2020nc": "bt2020",
	} {
		all := sources()
		src := all["su_screen"]
		src.Picture.Colour.Matrix = matrix

		plan, err := plan.Of(timeline.Video{Clips: []timeline.Clip{screen(100)}}, values.Look{}, all, defaults())
		require.NoError(t, err)
		require.Equal(t, want, plan.Outputs[0].Chunks[0].Draw.Colour.Matrix)
	}

	plan, err := plan.Of(timeline.Video{Clips: []timeline.Clip{{LengthMs: 100, Screen: "su_camera"}}}, values.Look{}, sources(), defaults())
	require.NoError(t, err)
	require.Equal(t, "bt601", plan.Outputs[0].Chunks[0].Draw.Colour.Matrix, "640×480")
}

func TestEncoding(t *testing.T) {
	t.Parallel()

	require.Equal(t, "-fps_mode passthrough -c:v libx264 -preset veryfast -crf 20 -profile:v high -pix_fmt yuv420p -threads:v 1 -g:v 150 "+
		"-video_track_timescale 15360",
		strings.Join(draw().Encoding(), " "))
	require.Equal(t, "-c:a aac -b:a 160k -ar 48000 -ac 2", strings.Join(plan.Mix{}.Encoding(), " "))
	require.Equal(t, "3.004001", plan.Seconds(3_004_001))
	require.Equal(t, "-0.007000", plan.Seconds(-7_000))
}
