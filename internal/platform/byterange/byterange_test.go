package byterange_test

import (
	"io"
	"math/big"
	"mime"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/reelgraph/reelgraph/internal/platform/byterange"
)

const text = "0123456789abcdefghij"

func ask(method, content string, header map[string]string) (answer reply, body string, refused bool) {
	r := httptest.NewRequest(method, "/", nil)
	for name, value := range header {
		r.Header.Set(name, value)
	}

	w := httptest.NewRecorder()
	w.Header().Set("ETag", `"tag"`)
	w.Header().Set("Content-Type", "video/mp4")
	refused = byterange.Serve(w, r, time.Unix(1_700_000_000, 0), int64(len(content)), strings.NewReader(content))

	return reply{w.Code, w.Header()}, w.Body.String(), refused
}

// reply is a response without its body.
type reply struct {
	StatusCode int
	Header     http.Header
}

func TestServe(t *testing.T) {
	t.Parallel()

	for _, c := range []struct {
		name, header string
		status       int // 416 is refused
		body, part   string
	}{
		{"an unknown unit", "items=0-5", 200, text, ""},
		{"another unknown unit", "seconds=1-2", 200, text, ""},
		{"no unit", "0-5", 200, text, ""},
		{"no last bytes", "bytes=-0", 416, "", "bytes */20"},
		{"no last bytes, said at length", "bytes=-000", 416, "", "bytes */20"},
		{"an end of 19 digits", "bytes=0-9999999999999999999", 206, text, "bytes 0-19/20"},
		{"an end of 40 digits", "bytes=15-9999999999999999999999999999999999999999", 206, "fghij", "bytes 15-19/20"},
		{"a beginning of 40 digits", "bytes=9999999999999999999999999999999999999999-", 416, "", "bytes */20"},
		{"a suffix of 40 digits", "bytes=-9999999999999999999999999999999999999999", 206, text, "bytes 0-19/20"},
		{"leading zeros", "bytes=0000000000000000000000001-002", 206, "12", "bytes 1-2/20"},
		{"the unit in capitals", "BYTES=0-0", 206, "0", "bytes 0-0/20"},
		{"a suffix", "bytes=-3", 206, "hij", "bytes 17-19/20"},
		{"an open range", "bytes=18-", 206, "ij", "bytes 18-19/20"},
		{"the first byte behind the end", "bytes=20-", 416, "", "bytes */20"},
		{"all ranges behind the end", "bytes=20-30,-0", 416, "", "bytes */20"},
		{"one range of two behind the end", "bytes=-0, 3-4", 206, "34", "bytes 3-4/20"},
		{"backwards", "bytes=5-2", 200, text, ""},
		{"backwards in 30 digits", "bytes=200000000000000000000000000001-200000000000000000000000000000", 200, text, ""},
		{"one of two backwards", "bytes=0-1,5-2", 200, text, ""},
		{"letters", "bytes=a-b", 200, text, ""},
		{"a sign", "bytes=+1-2", 200, text, ""},
		{"two signs", "bytes=--2", 200, text, ""},
		{"white space in a range", "bytes=0 - 5", 200, text, ""},
		{"white space before the first range", "bytes= 0-5", 200, text, ""},
		{"white space around the equals sign", "bytes = 0-5", 200, text, ""},
		{"empty elements", "bytes=,, 0-1 ,", 206, "01", "bytes 0-1/20"},
		{"nothing", "bytes=", 200, text, ""},
		{"commas only", "bytes=,,", 200, text, ""},
		{"a dash", "bytes=-", 200, text, ""},
		{"another alphabet's digits", "bytes=0-١", 200, text, ""},
		{"many ranges", "bytes=" + strings.Repeat("0-0,", 101), 200, text, ""},
	} {
		answer, body, refused := ask(http.MethodGet, text, map[string]string{"Range": c.header})
		require.Equal(t, c.part, answer.Header.Get("Content-Range"), c.name)
		require.Equal(t, c.status == 416, refused, c.name)

		if !refused {
			require.Equal(t, c.status, answer.StatusCode, c.name)
		}

		require.Equal(t, c.body, body, c.name)
	}
}

// Conditions are checked before ranges, and only GET has ranges.
func TestServeConditions(t *testing.T) {
	t.Parallel()

	for _, c := range []struct {
		method  string
		header  map[string]string
		status  int
		body    string
		refused bool
	}{
		{http.MethodHead, map[string]string{"Range": "bytes=0-1"}, 200, "", false},
		{http.MethodHead, map[string]string{"Range": "bytes=99-"}, 200, "", false},
		{http.MethodGet, map[string]string{"Range": "bytes=99-", "If-None-Match": `"tag"`}, 304, "", false},
		{http.MethodGet, map[string]string{"Range": "bytes=99-", "If-Range": `"other"`}, 200, text, false},
		{http.MethodGet, map[string]string{"Range": "bytes=99-", "If-Range": `"tag"`}, 200, "", true},
		{http.MethodGet, map[string]string{"Range": "bytes=0-1", "If-Range": `"other"`}, 200, text, false},
		{http.MethodGet, map[string]string{"Range": "bytes=0-1", "If-Range": `W/"tag"`}, 200, text, false},
		{http.MethodGet, map[string]string{"Range": "bytes=0-1", "If-Range": `"tag"`}, 206, "01", false},
		{http.MethodGet, map[string]string{"Range": "bytes=0-1", "If-Match": `"other"`}, 412, "", false},
		{http.MethodGet, map[string]string{"Range": "items=0-1", "If-Match": `"tag"`}, 200, text, false},
	} {
		answer, body, refused := ask(c.method, text, c.header)
		require.Equal(t, c.refused, refused, "%v", c)
		require.Equal(t, c.body, body, "%v", c)

		if !refused {
			require.Equal(t, c.status, answer.StatusCode, "%v", c)
		}
	}

	answer, body, refused := ask(http.MethodGet, "", map[string]string{"Range": "bytes=0-"})
	require.False(t, refused, "empty content has no ranges")
	require.Equal(t, 200, answer.StatusCode)
	require.Empty(t, body)
}

// Two Range headers are malformed.
func TestServeTwoHeaders(t *testing.T) {
	t.Parallel()

	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.Header["Range"] = []string{"bytes=0-1", "bytes=3-4"}
	w := httptest.NewRecorder()
	require.False(t, byterange.Serve(w, r, time.Time{}, int64(len(text)), strings.NewReader(text)))
	require.Equal(t, 200, w.Code)
	require.Equal(t, text, w.Body.String())
}

// grammar is ranges-specifier of RFC 9110, 14.1.1 and 14.1.2, with the list rule of 5.6.1.2, as one pattern.
var grammar = regexp.MustCompile(`^[bB][yY][tT][eE][sS]=` + `(?:` + spec + `)?(?:[ \t]*,[ \t]*(?:` + spec + `)?)*$`)

const spec = `[0-9]+-[0-9]*|-[0-9]+`

// expected returns the status and parts according to RFC 9110, computed with integers of any size on the content
// itself.
func expected(header string, content string) (status int, parts []string) {
	if !grammar.MatchString(header) || content == "" {
		return 200, nil
	}

	size, given := big.NewInt(int64(len(content))), 0

	for _, one := range regexp.MustCompile(spec).FindAllString(header, -1) {
		given++

		var from, to *big.Int

		first, last, _ := strings.Cut(one, "-")
		end := new(big.Int).Sub(size, big.NewInt(1))

		switch whole := func(digits string) *big.Int {
			n, _ := new(big.Int).SetString(digits, 10)

			return n
		}; {
		case first == "":
			from, to = new(big.Int).Sub(size, whole(last)), end
			if from.Sign() < 0 {
				from = new(big.Int)
			}
		case last == "":
			from, to = whole(first), end
		default:
			if from, to = whole(first), whole(last); to.Cmp(from) < 0 {
				return 200, nil
			}

			if to.Cmp(end) > 0 {
				to = end
			}
		}

		if from.Cmp(size) < 0 && from.Cmp(to) <= 0 {
			parts = append(parts, content[from.Int64():to.Int64()+1])
		}
	}

	switch total := len(strings.Join(parts, "")); {
	case given == 0, given > 100, total > len(content): // the ranges are longer than the whole content
		return 200, nil
	case len(parts) == 0:
		return 416, nil
	default:
		return 206, parts
	}
}

func TestServeAgainstTheGrammar(t *testing.T) {
	t.Parallel()

	digits := rapid.OneOf(rapid.StringMatching(`[0-9]{1,2}`), rapid.StringMatching(`[0-9]{17,24}`), rapid.SampledFrom([]string{"", "0", "00", "19", "20", "21"}))
	part := rapid.Custom(func(t *rapid.T) string {
		odd := rapid.SampledFrom([]string{"", "", "", "", "", "", " ", "-", "x", "+", "\t"})

		return odd.Draw(t, "before") + digits.Draw(t, "first") + rapid.SampledFrom([]string{"-", "-", "-", "-", ""}).Draw(t, "dash") +
			digits.Draw(t, "last") + odd.Draw(t, "after")
	})

	rapid.Check(t, func(t *rapid.T) {
		content := text[:rapid.IntRange(0, len(text)).Draw(t, "size")]
		header := rapid.SampledFrom([]string{"bytes=", "bytes=", "bytes=", "Bytes=", "bytes", "items=", "bytes =", ""}).Draw(t, "unit") +
			strings.Join(rapid.SliceOfN(part, 0, 4).Draw(t, "parts"), rapid.SampledFrom([]string{",", ", ", " ,", ",,"}).Draw(t, "comma"))
		status, parts := expected(header, content)
		answer, body, refused := ask(http.MethodGet, content, map[string]string{"Range": header})

		switch {
		case header == "": // no Range header
			require.Equal(t, content, body)
		case status == 416:
			require.True(t, refused, header)
		case status == 200:
			require.False(t, refused, header)
			require.Equal(t, 200, answer.StatusCode, header)
			require.Equal(t, content, body, header)
		case len(parts) == 1:
			require.Equal(t, 206, answer.StatusCode, header)
			require.Equal(t, parts[0], body, header)
		default:
			require.Equal(t, 206, answer.StatusCode, header)
			require.Equal(t, parts, multi(t, answer.Header.Get("Content-Type"), body), header)
		}
	})
}

// multi returns the parts of a multipart/byteranges response.
func multi(t require.TestingT, kind, body string) (parts []string) {
	_, params, err := mime.ParseMediaType(kind)
	require.NoError(t, err)

	reader := multipart.NewReader(strings.NewReader(body), params["boundary"])

	for {
		part, err := reader.NextPart()
		if err == io.EOF { //nolint:errorlint // as documented
			return parts
		}

		require.NoError(t, err)

		content, err := io.ReadAll(part)
		require.NoError(t, err)

		parts = append(parts, string(content))
	}
}

func TestParse(t *testing.T) {
	t.Parallel()

	for header, want := range map[string]byterange.Result{
		"bytes=-0": byterange.Unsatisfiable, "bytes=20-": byterange.Unsatisfiable, "bytes=-1": byterange.Satisfiable, "bytes=-0,0-0": byterange.Satisfiable,
		"bytes=": byterange.Ignored, "items=0-1": byterange.Ignored, "bytes=1-0": byterange.Ignored,
	} {
		ranges, result := byterange.Parse(header, int64(len(text)))
		require.Equal(t, want, result, header)
		require.Equal(t, want == byterange.Satisfiable, len(ranges) == 1, header)
	}

	ranges, result := byterange.Parse("bytes=0-0,-2,5-99", int64(len(text)))
	require.Equal(t, byterange.Satisfiable, result)
	require.Equal(t, []byterange.Range{{First: 0, Last: 0}, {First: 18, Last: 19}, {First: 5, Last: 19}}, ranges)
}
