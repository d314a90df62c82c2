package media

import "github.com/reelgraph/reelgraph/internal/render"

// RenderSource is what a plan must know of a source that was probed. Content is the SHA-256 of its
// bytes, name the file name it was uploaded with.
func (i Info) RenderSource(content, name string) render.Source {
	s := render.Source{Content: content, Name: name, Bytes: i.Bytes, Sound: i.Audio != nil}
	if v := i.Video; v != nil {
		s.Picture = &render.Picture{
			Size:   render.Size{Width: v.Width, Height: v.Height},
			FPSNum: v.FPSNum, FPSDen: v.FPSDen,
			Colour: render.Colour{
				PixelFormat: v.PixFmt, Range: v.ColorRange, Matrix: v.ColorSpace,
				Transfer: v.ColorTransfer, Primaries: v.ColorPrimaries,
			},
		}
	}

	return s
}
