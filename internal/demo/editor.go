package demo

import "image/color"

// The times of the editor film, in ms.
const (
	editorLengthMs = 24_000
	EditorTypeMs   = 4_000  // when the lines are typed
	editorRunMs    = 15_500 // when the tests are started
	EditorPassMs   = 17_600 // when they have passed
)

// The colors of code.
func codeColors() map[byte]color.RGBA {
	return map[byte]color.RGBA{
		'k': hex(0xc792ea), 'f': hex(0x82aaff), 's': hex(0xc3e88d), 'n': hex(0xf78c6c), 'c': hex(0x6c7693), 't': hex(0xffcb6b),
		' ': hex(0xd7dcec),
	}
}

// A span is a piece of code of one kind.
type span struct {
	kind byte
	text string
}

// before is the existing code, and added is the code that is typed into it.
func before() [][]span {
	return [][]span{
		{{'c', "// Total is what an order costs."}},
		{{'k', "func "}, {'f', "Total"}, {' ', "(o "}, {'t', "Order"}, {' ', ") "}, {'t', "Cents"}, {' ', " {"}},
		{{' ', "    sum := "}, {'t', "Cents"}, {' ', "("}, {'n', "0"}, {' ', ")"}},
		{{'k', "    for"}, {' ', " _, line := "}, {'k', "range"}, {' ', " o.Lines {"}},
		{{' ', "        sum += line.Price * "}, {'t', "Cents"}, {' ', "(line.Count)"}},
		{{' ', "    }"}},
		{},
		{},
		{},
		{},
		{{'k', "    return"}, {' ', " sum"}},
		{{' ', "}"}},
		{},
		{{'k', "func "}, {'f', "TestTotal"}, {' ', "(t *"}, {'t', "testing.T"}, {' ', ") {"}},
		{{' ', "    o := "}, {'f', "order"}, {' ', "("}, {'s', `"3 × tea"`}, {' ', ", "}, {'s', `"SPRING"`}, {' ', ")"}},
		{{' ', "    "}, {'f', "equal"}, {' ', "(t, "}, {'n', "1080"}, {' ', ", "}, {'f', "Total"}, {' ', "(o))"}},
		{{' ', "}"}},
	}
}

func added() [][]span {
	return [][]span{
		{{'k', "    if"}, {' ', " c := o.Coupon; c != "}, {'k', "nil"}, {' ', " && c."}, {'f', "Valid"}, {' ', "() {"}},
		{{' ', "        sum -= sum * c.Percent / "}, {'n', "100"}},
		{{' ', "    }"}},
	}
}

// addedAt is the line of the editor in which the first added line is.
const addedAt = 6

const (
	codeLeft, codeTop = 330, 104
	lineHeight        = 27
	codeSize          = 17.5
	charMs            = 78
)

// Editor returns a film of a code editor in which a function is completed and tested.
func Editor() Screen {
	still := newCanvas(ScreenWidth, ScreenHeight)
	drawEditor(still)

	return Screen{
		Film: Film{Width: ScreenWidth, Height: ScreenHeight, LengthMs: editorLengthMs, Draw: func(f Frame) {
			f.blit(still, 0, still.Bounds())
			f.typing()
			f.terminal()
		}},
		Pointer: way([]Point{
			{TimeMs: 0, X: 180, Y: 400},
			{TimeMs: 2_000, X: 150, Y: 190},
			{TimeMs: 2_300, X: 150, Y: 190, Click: true},
			{TimeMs: 3_600, X: 420, Y: codeTop + addedAt*lineHeight - 6},
			{TimeMs: 3_700, X: 420, Y: codeTop + addedAt*lineHeight - 6, Click: true},
			{TimeMs: 5_600, X: 900, Y: 480},
			{TimeMs: 14_600, X: 1_180, Y: 30},
			{TimeMs: editorRunMs, X: 1_180, Y: 30, Click: true},
			{TimeMs: 18_400, X: 560, Y: 660},
			{TimeMs: 22_000, X: 760, Y: 640},
		}),
	}
}

func drawEditor(c canvas) {
	c.fill(0, 0, ScreenWidth, ScreenHeight, hex(0x1b1e2b))
	c.fill(0, 0, 260, ScreenHeight, hex(0x161924))
	c.text(bold, 14, 28, 40, hex(0x8a93b2), "SHOP")

	for i, file := range []string{"cart", "  cart.go", "  coupon.go", "  total.go", "  total_test.go", "mail", "  receipt.go", "go.mod"} {
		of := hex(0xaab2cf)
		if file == "  total.go" {
			c.box(12, float64(54+34*i), 236, 32, 6, hex(0x2a3047))

			of = hex(0xffffff)
		}

		c.text(regular, 16, 34, 76+34*i, of, file)
	}

	c.fill(260, 0, ScreenWidth-260, 56, hex(0x161924))
	c.fill(260, 0, 190, 56, hex(0x1b1e2b))
	c.fill(260, 0, 190, 3, hex(0x82aaff))
	c.text(regular, 16, 290, 36, hex(0xffffff), "total.go")
	c.text(regular, 16, 480, 36, hex(0x8a93b2), "coupon.go")

	for i := range before() {
		c.text(mono, 15, 285, codeTop+i*lineHeight, hex(0x4a5273), string(rune('0'+(i+1)/10))+string(rune('0'+(i+1)%10)))
	}
}

// typing draws the code up to what has been typed.
func (f Frame) typing() {
	colors := codeColors()
	write := func(row int, spans []span) (x int) {
		x = codeLeft
		for _, s := range spans {
			x = f.text(mono, codeSize, x, codeTop+row*lineHeight, colors[s.kind], s.text)
		}

		return x
	}

	for row, line := range before() {
		write(row, line)
	}

	left := max(f.Ms-EditorTypeMs, 0) / charMs
	end, row := codeLeft, addedAt

	for n, line := range added() {
		if left <= 0 {
			break
		}

		var shown []span

		for _, s := range line {
			take := min(left, len([]rune(s.text)))
			left -= take
			shown = append(shown, span{s.kind, string([]rune(s.text)[:take])})
		}

		row = addedAt + n
		end = write(row, shown)
	}

	if f.Ms < editorRunMs && (f.Ms/500%2 == 0 || left <= 0 && f.Ms > EditorTypeMs) {
		f.fill(end+1, codeTop+row*lineHeight-18, 2, 23, hex(0xffcc66))
	}
}

// terminal draws the button that runs the tests, and their output.
func (f Frame) terminal() {
	f.button(1_110, 10, 140, 36, hex(0x2e7d4f), "Run tests", pressed(f.Ms, editorRunMs))

	if f.Ms < editorRunMs+200 {
		return
	}

	top := ScreenHeight - int(160*ease(float64(f.Ms-editorRunMs-200)/350))
	f.fill(260, top, ScreenWidth-260, ScreenHeight-top, hex(0x11131c))
	f.fill(260, top, ScreenWidth-260, 2, hex(0x2a3047))
	f.text(mono, 16, 290, top+36, hex(0xaab2cf), "$ go test ./cart")

	if f.Ms >= EditorPassMs {
		f.text(mono, 16, 290, top+66, hex(0xc3e88d), "ok    shop/cart    0.214s")
		f.box(290, float64(top+88), 230, 40, 10, hex(0x1f3d2c))
		f.text(bold, 17, 308, top+114, hex(0x7ee2a0), "12 tests passed")
	}
}
