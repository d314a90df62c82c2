package words_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/internal/video/words"
)

const (
	noTimes  = "the cue has no times, such as 00:00:01.000 --> 00:00:02.000"
	wrong    = "the cue times are malformed"
	noLength = "the cue must end after it starts"
)

// Files are divided into cues as by a WebVTT parser, and blocks that are no cue are reported. Each cue is written here
// as its times and its words.
func TestBlocks(t *testing.T) {
	t.Parallel()

	for name, tc := range map[string]struct {
		file    string
		srt     bool
		cues    []string
		skipped []words.SkippedBlock
	}{
		"a line of white space in a cue":    {file: "WEBVTT\n\n00:00:01.000 --> 00:00:02.000\n \nhello\n", cues: []string{"1000-2000 hello"}},
		"a tab between two lines":           {file: "WEBVTT\n\n00:01.000 --> 00:02.000\nhello\n\t\nyou\n", cues: []string{"1000-2000 hello you"}},
		"a line of white space in SubRip":   {file: "1\n00:00:01,000 --> 00:00:02,000\n \nhello\n", srt: true, cues: []string{"1000-2000 hello"}},
		"white space is no end of a cue":    {file: "WEBVTT\n\n00:01.000 --> 00:02.000\na\n \nno id\n00:03.000 --> 00:04.000\nb", cues: []string{"1000-2000 a no id", "3000-4000 b"}},
		"no empty line between cues":        {file: "1\n00:00:01,000 --> 00:00:02,000\nfirst\n2\n00:00:03,000 --> 00:00:04,000\nsecond\n", srt: true, cues: []string{"1000-2000 first", "3000-4000 second"}},
		"no empty line in WebVTT":           {file: "WEBVTT\n\n00:01.000 --> 00:02.000\nfirst\n00:03.000 --> 00:04.000\nsecond\n", cues: []string{"1000-2000 first", "3000-4000 second"}},
		"a number in WebVTT is text":        {file: "WEBVTT\n\n00:01.000 --> 00:02.000\nfirst\n2\n00:03.000 --> 00:04.000\nsecond\n", cues: []string{"1000-2000 first 2", "3000-4000 second"}},
		"numbers that are said":             {file: "7\n00:00:01,000 --> 00:00:02,000\n40\n41\n8\n00:00:03,000 --> 00:00:04,000\n42\n\n9\n00:00:05,000 --> 00:00:06,000\n43", srt: true, cues: []string{"1000-2000 40 41", "3000-4000 42", "5000-6000 43"}},
		"nothing but a number":              {file: "1\n00:00:01,000 --> 00:00:02,000\n2\n00:00:03,000 --> 00:00:04,000\nsecond", srt: true, cues: []string{"1000-2000", "3000-4000 second"}},
		"cues without numbers":              {file: "00:00:01,000 --> 00:00:02,000\nfirst\n00:00:03,000 --> 00:00:04,000\nsecond", srt: true, cues: []string{"1000-2000 first", "3000-4000 second"}},
		"a stray block":                     {file: "WEBVTT\n\n00:01.000 --> 00:02.000\na\n\nstray\nwords\n\n00:03.000 --> 00:04.000\nb", cues: []string{"1000-2000 a", "3000-4000 b"}, skipped: []words.SkippedBlock{{6, noTimes}}},
		"a stray block in SubRip":           {file: "1\n00:00:01,000 --> 00:00:02,000\na\n\nwww.example.org\n\n3\n00:00:03,000 --> 00:00:04,000\nb", srt: true, cues: []string{"1000-2000 a", "3000-4000 b"}, skipped: []words.SkippedBlock{{5, noTimes}}},
		"a stray block right before a cue":  {file: "stray\nwords\n1\n00:00:01,000 --> 00:00:02,000\na", srt: true, cues: []string{"1000-2000 a"}, skipped: []words.SkippedBlock{{1, noTimes}}},
		"a number and nothing else":         {file: "1\n\n2\n00:00:01,000 --> 00:00:02,000\na", srt: true, cues: []string{"1000-2000 a"}, skipped: []words.SkippedBlock{{1, noTimes}}},
		"no length":                         {file: "WEBVTT\n\nid\n00:02.000 --> 00:02.000\na\n\n00:03.000 --> 00:02.999\nb\n\n00:03.000 --> 00:04.000\nc", cues: []string{"3000-4000 c"}, skipped: []words.SkippedBlock{{4, noLength}, {7, noLength}}},
		"malformed times":                   {file: "WEBVTT\n\n00:01.000 -> 00:02.000\na\n\n1:2.000 --> 3\nb\n\n00:01,000 --> 00:02,000\nc\n\n00:03.000 --> 00:04.000\nd", cues: []string{"3000-4000 d"}, skipped: []words.SkippedBlock{{3, noTimes}, {6, wrong}, {9, wrong}}},
		"an arrow in the text":              {file: "WEBVTT\n\n00:01.000 --> 00:02.000\na\nb --> c\nd\n\n00:03.000 --> 00:04.000\ne", cues: []string{"1000-2000 a", "3000-4000 e"}, skipped: []words.SkippedBlock{{5, wrong}}},
		"a cue right below the header":      {file: "WEBVTT\nKind: captions\n00:01.000 --> 00:02.000\na", cues: []string{"1000-2000 a"}},
		"no empty line below the header":    {file: "WEBVTT\n00:01.000 --> 00:02.000\na", cues: []string{"1000-2000 a"}},
		"comments are not counted":          {file: "WEBVTT\n\nNOTE\na --\n\nSTYLE\n::cue {}\n\nREGION\nid:a\n\n00:01.000 --> 00:02.000\na\n\nNOTE b\n", cues: []string{"1000-2000 a"}},
		"a comment in SubRip is stray":      {file: "NOTE b\n\n1\n00:00:01,000 --> 00:00:02,000\na", srt: true, cues: []string{"1000-2000 a"}, skipped: []words.SkippedBlock{{1, noTimes}}},
		"loose times":                       {file: "WEBVTT\n\n00:01.000-->00:02.000\na\n\n\t00:00:03.000\t-->\t100:00:04.000line:0\nb", cues: []string{"1000-2000 a", "3000-360004000 b"}},
		"hours of one digit, and of twelve": {file: "WEBVTT\n\n0:00:01.000 --> 999999999999:00:02.000\na", cues: []string{"1000-35184369602000 a"}},
		"seconds alone in SubRip":           {file: "1\n00:00:01 --> 00:00:02\na", srt: true, cues: []string{"1000-2000 a"}},
		"nothing said":                      {file: "WEBVTT\n\n00:01.000 --> 00:02.000\n\n00:02.000 --> 00:03.000", cues: []string{"1000-2000", "2000-3000"}},
		"old ends of lines":                 {file: "WEBVTT\r\r00:01.000 --> 00:02.000\ra\rb\r\r00:03.000 --> 00:04.000\r\nc", cues: []string{"1000-2000 a b", "3000-4000 c"}},
		"ruby":                              {file: "WEBVTT\n\n00:01.000 --> 00:02.000\n<ruby>漢<rt>kan</rt>字<rt.big>ji</ruby>です<v 田中>ね", cues: []string{"1000-2000 漢字ですね"}},
		"ruby over lines":                   {file: "1\n00:00:01,000 --> 00:00:02,000\n<ruby>東京<rt>tō\nkyō</rt></ruby> <font color=\"#fff\">駅</font>", srt: true, cues: []string{"1000-2000 東京 駅"}},
		"text like a tag":                   {file: "WEBVTT\n\n00:01.000 --> 00:02.000\na < b > c <3 and 1 <2 and 3> 2 {x} <i", cues: []string{"1000-2000 a < b > c <3 and 1 <2 and 3> 2 {x} <i"}},
		"references":                        {file: "WEBVTT\n\n00:01.000 --> 00:02.000\nit&#39;s AT&amp;T&nbsp;&quot;caf&eacute;&quot; R&D &copy &x; &lrm;a&#x41;", cues: []string{"1000-2000 it's AT&T \"café\" R&D &copy &x; aA"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()

			parse := words.ParseVTT
			if tc.srt {
				parse = words.ParseSRT
			}

			f, err := parse([]byte(tc.file))
			require.NoError(t, err)
			require.Equal(t, tc.cues, cuesOf(f))
			require.Equal(t, tc.skipped, f.Skipped.Blocks)
			require.Equal(t, len(tc.skipped), f.Skipped.Count)
		})
	}
}

func cuesOf(f words.File) (cues []string) {
	for _, c := range f.Cues {
		line := []string{fmt.Sprintf("%d-%d", c.StartMs, c.EndMs)}

		for _, s := range c.Stretches {
			line = append(line, s.Words...)
		}

		cues = append(cues, strings.Join(line, " "))
	}

	return cues
}

// The first twenty skipped blocks are listed in the order of their lines, and all are counted: also cues that begin
// after the recording, which are found last.
func TestSkippedAreCounted(t *testing.T) {
	t.Parallel()

	var file strings.Builder

	file.WriteString("WEBVTT\n\n00:00.000 --> 00:01.000\na\n\n00:09.000 --> 00:10.000\nlate\n\n")

	for range 30 {
		file.WriteString("stray\n\n")
	}

	f, err := words.ParseVTT([]byte(file.String()))
	require.NoError(t, err)
	require.Equal(t, 30, f.Skipped.Count)
	require.Len(t, f.Skipped.Blocks, 20)

	_, err = f.Words(9000)
	require.NoError(t, err)
	require.Equal(t, 31, f.Skipped.Count)
	require.Len(t, f.Skipped.Blocks, 20)
	require.Equal(t, []words.SkippedBlock{{6, "the cue starts at 9000 ms, but the recording ends at 9000 ms"}, {9, noTimes}, {11, noTimes}}, f.Skipped.Blocks[:3])
}

// A file is UTF-8 unless a byte order mark says otherwise.
func TestEncodings(t *testing.T) {
	t.Parallel()

	const text = "WEBVTT\n\n00:01.000 --> 00:02.000\nzażółć 画 🎬\n"

	units := utf16.Encode([]rune("\ufeff" + text))
	little, big := make([]byte, 0, 2*len(units)), make([]byte, 0, 2*len(units))

	for _, u := range units {
		little, big = append(little, byte(u), byte(u>>8)), append(big, byte(u>>8), byte(u))
	}

	for name, file := range map[string][]byte{
		"UTF-8": []byte(text), "UTF-8 with a mark": []byte("\ufeff" + text), "UTF-16LE": little, "UTF-16BE": big,
	} {
		f, err := words.ParseVTT(file)
		require.NoError(t, err, name)
		require.Equal(t, []string{"1000-2000 zażółć 画 🎬"}, cuesOf(f), name)
	}

	half, err := words.ParseVTT(append(append([]byte{}, little...), 0x3d, 0xd8))
	require.NoError(t, err)
	require.Equal(t, []string{"1000-2000 zażółć 画 🎬 \ufffd"}, cuesOf(half))
}
