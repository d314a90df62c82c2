package compositor

// blit draws src over dst through the mask. The upper left corner of src is at (x, y) of dst; both are even. Only the
// edges of a shape are blended: the inside is copied.
func blit(dst, src Frame, x, y int, m *mask) {
	for i := range dst.Planes {
		c, at := m.plane(i)
		dx, dy := x, y

		if i > 0 {
			dx, dy = x/2, y/2
		}

		to, from := dst.Planes[i], src.Planes[i]

		for line, s := range c.spans {
			if s.to == 0 {
				continue
			}

			into := to.Row(at.y0 + line)[at.x0:at.x1]
			of := from.Row(at.y0 + line - dy)[at.x0-dx : at.x1-dx]
			alpha := c.alpha[line*c.stride:][:c.stride]

			s.lay(into, of, alpha)
		}
	}
}

// lay blends one line.
func (s span) lay(dst, src, alpha []byte) {
	if s.inner >= s.innerEnd {
		mixAlpha(dst[s.from:s.to], src[s.from:s.to], alpha[s.from:s.to])

		return
	}

	mixAlpha(dst[s.from:s.inner], src[s.from:s.inner], alpha[s.from:s.inner])

	switch inner := dst[s.inner:s.innerEnd]; s.solid {
	case 0:
	case 255:
		copy(inner, src[s.inner:s.innerEnd])
	default:
		mix(inner, inner, src[s.inner:s.innerEnd], weight(s.solid))
	}

	mixAlpha(dst[s.innerEnd:s.to], src[s.innerEnd:s.to], alpha[s.innerEnd:s.to])
}

// stain draws one color over dst through the mask.
func stain(dst Frame, m *mask, c Colour) {
	for i, v := range c.yuv() {
		cover, at := m.plane(i)

		for line, s := range cover.spans {
			if s.to == 0 {
				continue
			}

			row := dst.Planes[i].Row(at.y0 + line)[at.x0:at.x1]
			alpha := cover.alpha[line*cover.stride:][:cover.stride]

			mixAlphaConstant(row[s.from:s.inner], v, alpha[s.from:s.inner])

			if s.solid > 0 {
				mixConstant(row[s.inner:s.innerEnd], v, weight(s.solid))
			}

			mixAlphaConstant(row[s.innerEnd:s.to], v, alpha[s.innerEnd:s.to])
		}
	}
}
