package demo

import (
	"image"
	"image/color"
	"math"
)

// PresenterSize is the width and height of a presenter's picture.
const PresenterSize = 640

// A Look describes the appearance of a presenter.
type Look struct {
	Wall, Shelf, Skin, Hair, Shirt color.RGBA
	LongHair, Glasses              bool
}

// Looks holds the looks of the demo's two presenters.
func Looks() [2]Look {
	return [2]Look{
		{Wall: hex(0x2f4858), Shelf: hex(0x26394a), Skin: hex(0xe8b48c), Hair: hex(0x4a2c1d), Shirt: hex(0xf2a65a), LongHair: true},
		{Wall: hex(0x5b4b8a), Shelf: hex(0x4a3d73), Skin: hex(0xb87a52), Hair: hex(0x1f1a17), Shirt: hex(0x58b09c), Glasses: true},
	}
}

// Presenter returns a film of a person who speaks in front of a camera.
func Presenter(look Look, speech Speech, lengthMs int) Film {
	room := newCanvas(PresenterSize, PresenterSize)
	look.room(room)

	return Film{
		Width: PresenterSize, Height: PresenterSize, LengthMs: lengthMs, Sound: speech.Sound,
		Draw: func(f Frame) {
			f.blit(room, 0, room.Bounds())
			look.person(f, speech.loudness(f.Ms))
		},
	}
}

// room draws the wall with a window, a shelf and a plant.
func (l Look) room(c canvas) {
	c.gradient(0, 0, PresenterSize, PresenterSize, between(l.Wall, hex(0xffffff), 0.18), l.Wall)
	c.box(40, 60, 150, 190, 8, between(l.Wall, hex(0xffffff), 0.35))
	c.gradient(50, 70, 130, 170, hex(0xf7d9a8), hex(0xf5b971))
	c.fill(113, 70, 4, 170, between(l.Wall, hex(0xffffff), 0.35))
	c.fill(50, 150, 130, 4, between(l.Wall, hex(0xffffff), 0.35))
	c.box(450, 210, 160, 10, 3, l.Shelf)

	for i, book := range []uint32{0xd1495b, 0xedae49, 0x66a182, 0x2e86ab, 0xe4dfda} {
		height := 60 + 14*(i%3)
		c.box(float64(462+22*i), float64(210-height), 18, float64(height), 2, hex(book))
	}

	c.box(580, 172, 24, 38, 4, hex(0xc97b4a))
	c.ellipse(592, 158, 22, 22, hex(0x4f9d69))
	c.ellipse(580, 148, 12, 14, hex(0x5fb57b))
}

// person draws a person whose mouth opens with the loudness of the voice.
func (l Look) person(f Frame, voice float64) {
	t := float64(f.Ms) / 1000
	sway, nod := 5*math.Sin(t*1.1), 4*math.Sin(t*2.3)+6*voice
	x, y := 320+sway, 300+nod
	shade := between(l.Skin, hex(0x000000), 0.14)

	if l.LongHair {
		f.box(x-128, y-120, 256, 330, 110, l.Hair)
	}

	p := f.pen(image.Rect(60, 440, 580, PresenterSize)) // shoulders
	p.move(80+sway/2, 660)
	p.curve(90+sway/2, 520, 200+sway/2, 490, 262+sway/2, 470)
	p.line(378+sway/2, 470)
	p.curve(440+sway/2, 490, 550+sway/2, 520, 560+sway/2, 660)
	p.fill(l.Shirt)
	f.box(x-46, y+90, 92, 110, 36, shade)
	f.ellipse(x, 488, 62, 26, l.Skin)

	f.ellipse(x-112, y+8, 18, 28, shade) // ears
	f.ellipse(x+112, y+8, 18, 28, shade)
	f.ellipse(x, y, 110, 138, l.Skin)
	l.hair(f, x, y)
	l.face(f, x, y+nod/3, voice)
}

func (l Look) hair(f Frame, x, y float64) {
	p := f.pen(image.Rect(int(x)-130, int(y)-170, int(x)+130, int(y)))
	p.move(x-116, y-10)
	p.curve(x-130, y-190, x+130, y-190, x+116, y-10)
	p.curve(x+96, y-80, x+40, y-96, x-10, y-92)
	p.curve(x-60, y-88, x-100, y-70, x-116, y-10)
	p.fill(l.Hair)
}

func (l Look) face(f Frame, x, y, voice float64) {
	t := float64(f.Ms) / 1000
	dark := between(l.Hair, hex(0x000000), 0.3)
	open := 1.0

	if blink := math.Mod(t+1.3+0.7*math.Sin(t/3), 3.4); blink < 0.14 {
		open = 0.1
	}

	look := 3 * math.Sin(t*0.6)

	for _, side := range []float64{-44, 44} {
		f.ellipse(x+side, y-14, 17, 12*open, hex(0xfdfdfd))
		f.ellipse(x+side+look, y-14, 7.5, 8*min(open, 1), dark)
		f.box(x+side-20, y-44-5*voice, 40, 7, 3, dark)

		if l.Glasses {
			f.ring(x+side, y-14, 31, 5, hex(0x22223b))
		}
	}

	if l.Glasses {
		f.fill(int(x)-14, int(y)-17, 28, 5, hex(0x22223b))
	}

	f.ellipse(x, y+22, 13, 9, between(l.Skin, hex(0x000000), 0.12))
	f.ellipse(x-64, y+34, 18, 11, between(l.Skin, hex(0xe05a5a), 0.25))
	f.ellipse(x+64, y+34, 18, 11, between(l.Skin, hex(0xe05a5a), 0.25))

	l.mouth(f, x, y+62, voice)
}

// mouth draws a smiling mouth that opens with the voice.
func (l Look) mouth(f Frame, x, y, voice float64) {
	wide, open := 36-8*voice, 5+40*voice

	p := f.pen(image.Rect(int(x)-50, int(y)-20, int(x)+50, int(y)+70))
	p.move(x-wide, y)
	p.curve(x-wide/2, y+10, x+wide/2, y+10, x+wide, y)
	p.curve(x+wide/2, y+12+open, x-wide/2, y+12+open, x-wide, y)
	p.fill(hex(0x7a2e2e))

	if voice > 0.25 {
		f.box(x-18, y+8, 36, 6, 3, hex(0xf7f3ee))
	}
}

// ring draws the outline of a circle.
func (f Frame) ring(x, y, r, wide float64, of color.Color) {
	const corners = 48

	p := f.pen(image.Rect(int(x-r)-1, int(y-r)-1, int(x+r)+2, int(y+r)+2))

	for _, turn := range []struct{ r, way float64 }{{r, 1}, {r - wide, -1}} {
		for i := range corners + 1 {
			sin, cos := math.Sincos(turn.way * 2 * math.Pi * float64(i) / corners)
			if i == 0 {
				p.move(x+turn.r*cos, y+turn.r*sin)
			} else {
				p.line(x+turn.r*cos, y+turn.r*sin)
			}
		}
	}

	p.fill(of)
}
