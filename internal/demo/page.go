package demo

import (
	"fmt"
	"image"
)

// pageHeight is the height of the scrolling page.
const pageHeight = 2360

// The times of the page film, in ms.
const (
	pageLengthMs   = 26_000
	featuresMs     = 8_000
	figuresMs      = 13_000
	pricesMs       = 18_000
	chooseMs       = 20_600
	choseMs        = 23_400
	pageScrollMs   = 1_300
	featuresScroll = 560
	figuresScroll  = 1_130
	pricesScroll   = 1_650
)

// Page returns a film of a web page that is scrolled from top to bottom until a plan is chosen.
func Page() Screen {
	page := newCanvas(ScreenWidth, pageHeight)
	drawPage(page)

	scroll := []stop{{0, 0}, {featuresMs, featuresScroll}, {figuresMs, figuresScroll}, {pricesMs, pricesScroll}}

	return Screen{
		Film: Film{Width: ScreenWidth, Height: ScreenHeight, LengthMs: pageLengthMs, Draw: func(f Frame) {
			y := int(along(scroll, f.Ms, pageScrollMs))
			f.blit(page, barHeight, image.Rect(0, y, ScreenWidth, y+ScreenHeight-barHeight))
			f.browser("Northwind – plan your week", "northwind.example/welcome")

			top := barHeight - y
			f.button(525, float64(2140+top), 240, 50, hex(0x4f46e5), "Choose Team", pressed(f.Ms, chooseMs))

			if f.Ms > chooseMs+300 {
				f.dialog(f.Ms)
			}
		}},
		Pointer: way([]Point{
			{TimeMs: 0, X: 900, Y: 500},
			{TimeMs: 2_400, X: 250, Y: 480},
			{TimeMs: 4_200, X: 250, Y: 480, Click: true},
			{TimeMs: 6_400, X: 640, Y: 400},
			{TimeMs: 9_600, X: 260, Y: 360},
			{TimeMs: 10_600, X: 640, Y: 360},
			{TimeMs: 11_600, X: 1_010, Y: 360},
			{TimeMs: 14_800, X: 760, Y: 420},
			{TimeMs: 16_200, X: 1_000, Y: 330},
			{TimeMs: 19_800, X: 640, Y: 2_165 + barHeight - pricesScroll},
			{TimeMs: chooseMs, X: 640, Y: 2_165 + barHeight - pricesScroll, Click: true},
			{TimeMs: 22_600, X: 640, Y: 470},
			{TimeMs: choseMs, X: 640, Y: 470, Click: true},
			{TimeMs: 25_600, X: 860, Y: 600},
		}),
	}
}

// dialog draws the dialog that asks for an address and says thank you.
func (f Frame) dialog(ms int) {
	share := ease(float64(ms-chooseMs-300) / 260)
	y := 250 + 40*(1-share)
	f.box(392, y+10, 496, 268, 20, between(hex(0xf3f4fb), hex(0xc3c7d8), share))
	f.box(400, y, 480, 264, 18, hex(0xffffff))
	f.centered(bold, 26, 640, int(y)+56, hex(0x1f2430), "Start your team’s week")

	address, more := typed("ada@northwind.example", 21_200, ms, 55)

	f.frame(450, y+92, 380, 48, 10, hex(0x4f46e5), hex(0xffffff))

	end := f.text(regular, 18, 468, int(y)+123, hex(0x1f2430), address)
	if more && ms/300%2 == 0 {
		f.fill(end+2, int(y)+104, 2, 24, hex(0x4f46e5))
	}

	if ms < choseMs+250 {
		f.button(450, y+190, 380, 50, hex(0x4f46e5), "Send invitation", pressed(ms, choseMs))

		return
	}

	f.box(450, y+190, 380, 50, 10, hex(0xe3f6ea))
	f.centered(bold, 17, 640, int(y)+221, hex(0x1c7c45), "Sent. See you on Monday!")
}

func drawPage(c canvas) {
	c.gradient(0, 0, ScreenWidth, 560, hex(0xeef0ff), hex(0xffffff))
	c.fill(0, 560, ScreenWidth, pageHeight-560, hex(0xffffff))
	c.text(bold, 22, 80, 58, hex(0x312e81), "northwind")

	for i, entry := range []string{"Product", "Customers", "Pricing", "Sign in"} {
		c.text(regular, 16, 820+100*i, 57, hex(0x4b5563), entry)
	}

	c.text(bold, 58, 80, 210, hex(0x1e1b4b), "Plan your week")
	c.text(bold, 58, 80, 280, hex(0x4f46e5), "in ten minutes.")
	c.text(regular, 21, 82, 332, hex(0x4b5563), "One page for what matters, shared with your team.")
	c.button(80, 372, 200, 54, hex(0x4f46e5), "Try it free", false)
	c.text(bold, 17, 312, 405, hex(0x4f46e5), "Watch the film  ›")
	drawWeek(c, 690, 130)
	drawFeatures(c, 640)
	drawFigures(c, 1_210)
	drawPrices(c, 1_720)
}

// drawWeek draws the product: a calendar.
func drawWeek(c canvas, x, y float64) {
	c.box(x+6, y+10, 510, 370, 20, hex(0xd5d8ee))
	c.box(x, y, 510, 370, 20, hex(0xffffff))

	colors := []uint32{0xc7d2fe, 0xfde68a, 0xbbf7d0, 0xfecaca, 0xbae6fd}

	for day, name := range []string{"Mon", "Tue", "Wed", "Thu", "Fri"} {
		left := x + 24 + 94*float64(day)
		c.text(bold, 15, int(left)+24, int(y)+40, hex(0x6b7280), name)
		c.box(left, y+56, 86, 290, 10, hex(0xf6f7fb))

		for n := range 2 + day%2 {
			top := y + 66 + float64(n)*88 + float64(day%3)*10
			height := 54 + float64((day+n)%3)*12
			c.box(left+6, top, 74, height, 8, hex(colors[(day+2*n)%len(colors)]))
			c.box(left+14, top+12, 46, 6, 3, hex(0x6b7280))
			c.box(left+14, top+26, 30, 5, 2.5, hex(0x9ca3af))
		}
	}
}

func drawFeatures(c canvas, y int) {
	c.centered(bold, 38, 640, y+40, hex(0x1e1b4b), "Less planning, more doing")

	for i, f := range []struct {
		color       uint32
		name        string
		first, then string
	}{
		{0x4f46e5, "One shared page", "Everybody sees the same week,", "on every device."},
		{0xf59e0b, "Gentle reminders", "A note in the morning, and", "silence for the rest of the day."},
		{0x10b981, "Fridays in review", "What was done writes itself", "into a report for your team."},
	} {
		x := 110 + 370*i
		c.frame(float64(x), float64(y+90), 330, 260, 18, hex(0xe5e7f0), hex(0xffffff))
		c.ellipse(float64(x+56), float64(y+150), 28, 28, hex(f.color))
		c.box(float64(x+44), float64(y+146), 24, 8, 4, hex(0xffffff))
		c.text(bold, 22, x+28, y+222, hex(0x1f2430), f.name)
		c.text(regular, 17, x+28, y+258, hex(0x6b7280), f.first)
		c.text(regular, 17, x+28, y+284, hex(0x6b7280), f.then)
	}
}

func drawFigures(c canvas, y int) {
	c.fill(0, y-20, ScreenWidth, 440, hex(0x1e1b4b))
	c.text(bold, 36, 110, y+70, hex(0xffffff), "Meetings went down")
	c.text(bold, 36, 110, y+114, hex(0xa5b4fc), "by a third.")
	c.text(regular, 18, 110, y+160, hex(0xc7d2fe), "Hours a week in meetings, for each person,")
	c.text(regular, 18, 110, y+186, hex(0xc7d2fe), "in the first half year with Northwind.")

	for i, hours := range []int{15, 14, 12, 11, 10, 10} {
		height := float64(hours * 17)
		x := 620 + 92*i
		c.box(float64(x), float64(y+330)-height, 58, height, 8, between(hex(0x818cf8), hex(0x34d399), float64(i)/5))
		c.centered(bold, 17, x+29, y+318-int(height), hex(0xffffff), fmt.Sprint(hours))
		c.centered(regular, 15, x+29, y+358, hex(0xc7d2fe), []string{"Jan", "Feb", "Mar", "Apr", "May", "Jun"}[i])
	}
}

func drawPrices(c canvas, y int) {
	c.centered(bold, 38, 640, y+10, hex(0x1e1b4b), "Simple pricing")

	for i, p := range []struct{ name, price string }{{"Solo", "Free"}, {"Team", "$6"}, {"Company", "$11"}} {
		x := 110 + 370*i
		border := hex(0xe5e7f0)

		if i == 1 {
			border = hex(0x4f46e5)
		}

		c.frame(float64(x), float64(y+60), 330, 430, 18, border, hex(0xffffff))
		c.centered(bold, 22, x+165, y+112, hex(0x4b5563), p.name)
		c.centered(bold, 48, x+165, y+180, hex(0x1f2430), p.price)

		for n := range 4 {
			row := float64(y + 226 + 40*n)
			c.ellipse(float64(x+52), row, 9, 9, hex(0xbbf7d0))
			c.box(float64(x+76), row-4, float64(150+(n*37+i*23)%70), 8, 4, hex(0xd1d5db))
		}

		if i != 1 {
			c.frame(float64(x+45), float64(y+420), 240, 50, 10, hex(0xc7cad8), hex(0xffffff))
			c.centered(bold, 16, x+165, y+451, hex(0x4b5563), "Choose "+p.name)
		}
	}

	c.fill(0, y+560, ScreenWidth, 80, hex(0xf3f4f8))
	c.text(regular, 15, 110, y+606, hex(0x6b7280), "Northwind is an invented company.")
}
