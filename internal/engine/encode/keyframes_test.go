package encode

import (
	"bytes"
	"encoding/binary"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/test/testkit/footage"
)

// The encoder makes a key frame every 1.5 s; the index gives their times to the microsecond.
func TestKeyframes(t *testing.T) {
	t.Parallel()

	path := filepath.Join(t.TempDir(), "a.mp4")
	film := footage.Film{Frames: 100, Tone: 440, Encoder: []string{"-c:v", "libx264", "-g", "45", "-sc_threshold", "0"}}
	require.NoError(t, footage.Counter(t.Context(), path, film))

	keys := readKeyframes(probe.Source{Path: path, Info: probe.Info{Format: ffmpeg.FormatMP4, Video: &probe.VideoInfo{}}})
	require.Equal(t, keyframes{0, 1_500_000, 3_000_000}, keys)

	for us, want := range map[int64]int64{0: 0, 1_499_999: 1_499_999, 1_500_000: 0, 2_000_000: 500_000, 9_000_000: 6_000_000} {
		require.Equal(t, want, keys.behind(us))
	}

	require.Nil(t, readKeyframes(probe.Source{Path: path, Info: probe.Info{Format: ffmpeg.FormatMP4}}), "without a picture")
	require.Nil(t, readKeyframes(probe.Source{Path: path, Info: probe.Info{Format: ffmpeg.FormatMatroska, Video: &probe.VideoInfo{}}}))
	require.Zero(t, keyframes(nil).behind(5_000_000), "unknown")
}

// boxOf returns an MP4 box.
func boxOf(kind string, parts ...[]byte) []byte {
	body := slices.Concat(parts...)

	return slices.Concat(binary.BigEndian.AppendUint32(nil, uint32(8+len(body))), []byte(kind), body)
}

func words(n ...uint32) []byte {
	var b []byte
	for _, w := range n {
		b = binary.BigEndian.AppendUint32(b, w)
	}

	return b
}

// FuzzKeyframes reads any index: the times rise and are not negative, and nothing panics.
func FuzzKeyframes(f *testing.F) {
	trak := func(timescale uint32, durations, numbers []byte) []byte {
		return boxOf("moov", boxOf("trak", boxOf("mdia",
			boxOf("mdhd", words(0, 0, 0, timescale)), boxOf("hdlr", words(0, 0), []byte("vide")),
			boxOf("minf", boxOf("stbl", boxOf("stts", words(0, 2), durations), boxOf("stss", words(0, 3), numbers))))))
	}

	f.Add(trak(90_000, words(10, 3000, 20, 1500), words(1, 8, 15)))
	f.Add(trak(1, words(0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff), words(1, 0xffffffff, 0)))
	f.Add(trak(0, nil, words(1)))
	f.Add(boxOf("moov", boxOf("trak", boxOf("mdia", boxOf("mdhd"), boxOf("hdlr", []byte("vi"))))))
	f.Add([]byte{0, 0, 0, 1, 'm', 'o', 'o', 'v', 0xff, 0, 0, 0, 0, 0, 0, 0})

	require.Equal(f, keyframes{0, 233_333, 400_000}, keyframesIn(bytes.NewReader(trak(90_000, words(10, 3000, 20, 1500), words(1, 8, 15)))))

	f.Fuzz(func(t *testing.T, file []byte) {
		keys := keyframesIn(bytes.NewReader(file))
		require.True(t, slices.IsSorted(keys))

		if len(keys) > 0 {
			require.GreaterOrEqual(t, keys[0], int64(0))
		}
	})
}
