package audio

// Channels in opposite phase cancel out when they are added. So loudness measurement and speech recognition use the
// louder of their sum and their difference, the middle and the side of a recording, moment by moment.

// middleOf and sideOf are half the sum and half the difference of the two channels.
func middleOf(left, right int16) int16 { return int16((int32(left) + int32(right)) / 2) }

func sideOf(left, right int16) int16 { return int16((int32(left) - int32(right)) / 2) }

// both sums the power of the middle and of the side.
type both struct{ middle, side float64 }

func (b *both) add(left, right int16) {
	m, s := float64(middleOf(left, right)), float64(sideOf(left, right))
	b.middle += m * m
	b.side += s * s
}

// Louder converts stereo to mono for speech recognition. For each 20 ms it uses either the middle (half the sum of the
// channels) or the side (half their difference), whichever is louder. It switches between the two with a short fade,
// and only when the other one is clearly louder. Create it with NewLouder.
type Louder struct {
	frame  int // samples
	queue  []int16
	power  both // of the last frames; older ones count less
	onSide bool
	begun  bool
	out    []int16
}

// louderFrames is the number of frames per second.
const louderFrames = 50

// NewLouder returns a Louder for sound with the given sample rate.
func NewLouder(rate int) *Louder { return &Louder{frame: max(rate/louderFrames, 1)} }

// Add takes the next stereo samples, left and right alternating. It returns the mono samples that are complete, which
// may be fewer. The returned slice is valid until the next call.
func (l *Louder) Add(samples []int16) []int16 {
	l.queue = append(l.queue, samples...)
	l.out = l.out[:0]

	done := 0
	for ; len(l.queue)-done >= 2*l.frame; done += 2 * l.frame {
		l.decide(l.queue[done : done+2*l.frame])
	}

	l.queue = append(l.queue[:0], l.queue[done:]...)

	return l.out
}

// End returns the mono samples of the rest of the sound, which Add has not returned.
func (l *Louder) End() []int16 {
	l.out = l.out[:0]
	if n := len(l.queue) &^ 1; n > 0 {
		l.decide(l.queue[:n])
	}

	l.queue = nil

	return l.out
}

const (
	// louderMemory is the weight of earlier measurements in the next frame.
	louderMemory = 0.8
	// clearlyLouder is how many times more power a change needs.
	clearlyLouder = 2
)

// decide makes one frame of output.
func (l *Louder) decide(frame []int16) {
	var now both
	for i := 0; i+1 < len(frame); i += 2 {
		now.add(frame[i], frame[i+1])
	}

	l.power.middle = l.power.middle*louderMemory + now.middle
	l.power.side = l.power.side*louderMemory + now.side

	was := l.onSide
	if was {
		l.onSide = l.power.middle <= clearlyLouder*l.power.side
	} else {
		l.onSide = l.power.side > clearlyLouder*l.power.middle
	}

	if !l.begun && now != (both{}) { // there is nothing to change from yet
		l.begun, was = true, l.onSide
	}

	n := int32(len(frame) / 2)

	for i := range n {
		left, right := frame[2*i], frame[2*i+1]
		one, other := int32(middleOf(left, right)), int32(sideOf(left, right))

		if l.onSide {
			one, other = other, one
		}

		if was != l.onSide {
			one = (one*(i+1) + other*(n-i-1)) / n
		}

		l.out = append(l.out, int16(one))
	}
}
