package footage

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

// Spoken is a word of synthesized speech with its times.
type Spoken struct {
	Text           string
	StartMs, EndMs int64
}

const (
	speechRate    = 22050 // of espeak-ng
	speechHeader  = 44
	speechQuietDB = -40 // below the loudest sample; anything quieter is not part of the word
)

// Speak makes a WAV file in which espeak-ng says the words. A new word starts every everyMs milliseconds. The times in
// said are exact, because each word is synthesized separately and then mixed in at its time.
func Speak(ctx context.Context, everyMs int64, words ...string) (file []byte, said []Spoken, err error) {
	samples := make([]int16, (int64(len(words))+1)*everyMs*speechRate/1000)

	for i, word := range words {
		one, err := sayWord(ctx, word)
		if err != nil {
			return nil, nil, err
		}

		startMs := int64(i)*everyMs + everyMs/2
		at := startMs * speechRate / 1000

		if at+int64(len(one)) > int64(len(samples)) {
			return nil, nil, fmt.Errorf("%q is too long for its place", word)
		}

		copy(samples[at:], one)

		said = append(said, Spoken{word, startMs, startMs + int64(len(one))*1000/speechRate})
	}

	var wav bytes.Buffer

	size := uint32(2 * len(samples))
	for _, field := range []any{
		[4]byte([]byte("RIFF")), 36 + size, [8]byte([]byte("WAVEfmt ")), uint32(16), uint16(1), uint16(1),
		uint32(speechRate), uint32(2 * speechRate), uint16(2), uint16(16), [4]byte([]byte("data")), size, samples,
	} {
		if err := binary.Write(&wav, binary.LittleEndian, field); err != nil {
			return nil, nil, err
		}
	}

	return wav.Bytes(), said, nil
}

// Say makes a film with a gray picture and the sound of a WAV file. The picture begins lagMs before the sound.
func Say(ctx context.Context, path string, wav []byte, lagMs int64) error {
	return FFmpeg(ctx, bytes.NewReader(wav), nil, "-hide_banner", "-loglevel", "error", "-y",
		"-f", "lavfi", "-i", "color=gray:size=64x64:rate=10", "-f", "wav", "-itsoffset", seconds(lagMs), "-i", "pipe:0",
		"-shortest", "-c:v", "libx264", "-preset", "ultrafast", "-c:a", "pcm_s16le", path)
}

// sayWord returns one word without the silence around it.
func sayWord(ctx context.Context, word string) ([]int16, error) {
	var out bytes.Buffer

	if err := program(ctx, "espeak-ng", nil, &out, "-v", "en-us", "-s", "130", "--stdout", word); err != nil {
		return nil, err
	}

	if out.Len() < speechHeader {
		return nil, errors.New("espeak-ng produced no sound")
	}

	samples := make([]int16, (out.Len()-speechHeader)/2)
	if err := binary.Read(bytes.NewReader(out.Bytes()[speechHeader:]), binary.LittleEndian, samples); err != nil {
		return nil, err
	}

	loudest := 0.0
	for _, s := range samples {
		loudest = math.Max(loudest, math.Abs(float64(s)))
	}

	quiet := loudest * math.Pow(10, speechQuietDB/20.0)
	first, last := 0, len(samples)

	for first < last && math.Abs(float64(samples[first])) < quiet {
		first++
	}

	for last > first && math.Abs(float64(samples[last-1])) < quiet {
		last--
	}

	return samples[first:last], nil
}
