package demo

import "image"

// The times of the form film, in ms, and the position of its card number.
const (
	formLengthMs = 22_000
	FormCardMs   = 8_600
	openMs       = 13_200
	pickMs       = 14_900
	saveMs       = 17_200

	FormCardX      = 700
	FormCardY      = 316
	FormCardWidth  = 460
	FormCardHeight = 54
)

// An entry is a form field, and the text that is typed into it from a given time on.
type entry struct {
	label, text string
	x, y        float64
	atMs        int
}

func entries() []entry {
	return []entry{
		{"Company", "Northwind Traders", 330, 206, 2_200},
		{"E-mail for invoices", "billing@northwind.example", 700, 206, 4_600},
		{"Address", "12 Harbour Street, Bristol", 330, 316, 6_300},
		{"Card number", "4000 0566 5566 5556", FormCardX, FormCardY, FormCardMs},
	}
}

const (
	fieldHeight = 54
	keyMs       = 62
)

// Form returns a film of account settings that are filled in and saved.
func Form() Screen {
	still := newCanvas(ScreenWidth, ScreenHeight)
	drawForm(still)

	points := []Point{{TimeMs: 0, X: 640, Y: 600}}

	for _, e := range entries() {
		x, y := e.x+60, e.y+30
		points = append(points, Point{TimeMs: e.atMs - 350, X: x, Y: y}, Point{TimeMs: e.atMs - 200, X: x, Y: y, Click: true})
	}

	points = append(points,
		Point{TimeMs: openMs - 100, X: 480, Y: 453}, Point{TimeMs: openMs, X: 480, Y: 453, Click: true},
		Point{TimeMs: pickMs - 150, X: 460, Y: 558}, Point{TimeMs: pickMs, X: 460, Y: 558, Click: true},
		Point{TimeMs: saveMs - 150, X: 1_070, Y: 628}, Point{TimeMs: saveMs, X: 1_070, Y: 628, Click: true},
		Point{TimeMs: 20_500, X: 900, Y: 520},
	)

	return Screen{
		Film: Film{Width: ScreenWidth, Height: ScreenHeight, LengthMs: formLengthMs, Draw: func(f Frame) {
			f.blit(still, 0, still.Bounds())
			f.fields()
			f.country()
			f.save()
		}},
		Pointer: way(points),
	}
}

func drawForm(c canvas) {
	c.fill(0, 0, ScreenWidth, ScreenHeight, hex(0xf4f6f9))
	c.fill(0, barHeight, 250, ScreenHeight-barHeight, hex(0xffffff))
	c.browser("Northwind – Settings", "northwind.example/settings/billing")

	for i, name := range []string{"Profile", "Team", "Billing", "Notifications", "Security"} {
		of := hex(0x5b6472)
		if name == "Billing" {
			c.box(16, float64(112+48*i), 218, 40, 8, hex(0xe8eafc))

			of = hex(0x4338ca)
		}

		c.text(bold, 17, 40, 138+48*i, of, name)
	}

	c.box(290, 110, 910, 560, 16, hex(0xffffff))
	c.text(bold, 26, 330, 152, hex(0x1f2430), "Billing details")
}

// fields draws the typed text and marks the active field.
func (f Frame) fields() {
	for _, e := range entries() {
		text, more := typed(e.text, e.atMs, f.Ms, keyMs)
		active := more && f.Ms >= e.atMs-200
		border := hex(0xcfd4de)

		if active {
			border = hex(0x4f46e5)
		}

		f.text(regular, 15, int(e.x), int(e.y)-8, hex(0x5b6472), e.label)
		f.frame(e.x, e.y, 340+120*boolean(e.x > 400), fieldHeight, 10, border, hex(0xffffff))

		end := f.text(regular, 19, int(e.x)+18, int(e.y)+35, hex(0x1f2430), text)
		if active && f.Ms/300%2 == 0 {
			f.fill(end+2, int(e.y)+15, 2, 25, hex(0x4f46e5))
		}
	}
}

func boolean(is bool) float64 {
	if is {
		return 1
	}

	return 0
}

// country draws a list that opens below its field.
func (f Frame) country() {
	f.text(regular, 15, 330, 418, hex(0x5b6472), "Country")
	f.frame(330, 426, 340, fieldHeight, 10, hex(0xcfd4de), hex(0xffffff))

	chosen := "Choose…"
	if f.Ms >= pickMs+150 {
		chosen = "United Kingdom"
	}

	f.text(regular, 19, 348, 461, hex(0x1f2430), chosen)

	p := f.pen(image.Rect(630, 440, 660, 470))
	p.move(636, 449)
	p.line(652, 449)
	p.line(644, 459)
	p.fill(hex(0x5b6472))

	share := ease(float64(f.Ms-openMs-100) / 200)
	if share == 0 || f.Ms >= pickMs+150 {
		return
	}

	f.box(328, 486, 344, 190*share, 10, hex(0xdfe3ec))
	f.box(330, 487, 340, 188*share, 10, hex(0xffffff))

	for i, name := range []string{"France", "United Kingdom", "United States", "Vietnam"} {
		if y := 522 + 44*i; float64(y) < 481+190*share {
			if name == "United Kingdom" && f.Ms > pickMs-500 {
				f.box(338, float64(y-27), 324, 40, 8, hex(0xe8eafc))
			}

			f.text(regular, 18, 356, y, hex(0x1f2430), name)
		}
	}
}

// save draws the button, and the note that everything is saved.
func (f Frame) save() {
	f.button(980, 602, 180, 52, hex(0x4f46e5), "Save", pressed(f.Ms, saveMs))

	if f.Ms < saveMs+500 {
		return
	}

	share := ease(float64(f.Ms-saveMs-500) / 300)
	y := 100 - 60*(1-share)
	f.box(880, y, 330, 58, 12, between(hex(0xf4f6f9), hex(0x1c7c45), share))
	f.ellipse(914, y+29, 12, 12, hex(0x7ee2a0))
	f.text(bold, 17, 940, int(y)+35, hex(0xffffff), "Billing details saved")
}
