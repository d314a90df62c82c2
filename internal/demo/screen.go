package demo

import "image/color"

// The size of every screen.
const (
	ScreenWidth  = 1280
	ScreenHeight = 720
)

// barHeight is the height of a browser's tabs and address bar.
const barHeight = 84

// A Screen is a film of a computer screen, together with the pointer events.
type Screen struct {
	Film

	Pointer []Point
}

// Percent returns the position of the point in percent of the screen's width and height, as mouse data stores it.
func (p Point) Percent() (x, y float64) { return 100 * p.X / ScreenWidth, 100 * p.Y / ScreenHeight }

// browser draws the upper part of a browser window.
func (c canvas) browser(title, address string) {
	c.fill(0, 0, ScreenWidth, 42, hex(0xdfe3ea))

	for i, light := range []uint32{0xff5f57, 0xfebc2e, 0x28c840} {
		c.ellipse(float64(26+24*i), 21, 7, 7, hex(light))
	}

	c.box(110, 8, 260, 44, 10, hex(0xffffff))
	c.ellipse(132, 26, 8, 8, hex(0x4f46e5))
	c.text(regular, 14, 148, 31, hex(0x2b2f38), title)
	c.text(regular, 16, 346, 31, hex(0x8a909c), "×")
	c.text(regular, 20, 384, 32, hex(0x70757f), "+")
	c.fill(0, 42, ScreenWidth, 42, hex(0xffffff))
	c.box(130, 48, 900, 30, 15, hex(0xeef0f4))
	c.text(regular, 14, 158, 68, hex(0x454b57), address)

	for i, sign := range []string{"‹", "›"} {
		c.text(bold, 24, 28+36*i, 71, hex(0x70757f), sign)
	}

	c.fill(0, barHeight-1, ScreenWidth, 1, hex(0xd9dde4))
}

// button draws a button, darker while it is pressed.
func (c canvas) button(x, y, w, h float64, of color.RGBA, label string, pressed bool) {
	if pressed {
		of = between(of, hex(0x000000), 0.25)
	}

	c.box(x, y, w, h, 10, of)
	c.centered(bold, 16, int(x+w/2), int(y+h/2)+6, hex(0xffffff), label)
}

// pressed reports whether a time is just after a click.
func pressed(ms, clickMs int) bool { return ms >= clickMs && ms < clickMs+220 }
