package reference_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/rest"
	"github.com/reelgraph/reelgraph/web/reference"
)

const base = "https://reel.example"

// handler is one for all tests: what it serves is made once.
var handler = reference.Handler(base, http.NotFoundHandler())

func read(t *testing.T, path string, header ...string) *httptest.ResponseRecorder {
	t.Helper()

	r := httptest.NewRequest(http.MethodGet, path, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}

	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, r)

	return answer
}

// The docsUrl of every error leads to a place that exists.
func TestEveryCodeHasItsPlace(t *testing.T) {
	t.Parallel()

	answer := read(t, "/docs/errors")
	require.Equal(t, http.StatusOK, answer.Code)

	for _, code := range []fault.Code{
		fault.BadRequestCode, fault.UnauthorizedCode, fault.ForbiddenCode, fault.NotFoundCode, fault.ConflictCode,
		fault.EditConflictCode, fault.RateLimitedCode, fault.ServerErrorCode, fault.NotImplementedCode, fault.UnavailableCode,
	} {
		require.Contains(t, answer.Body.String(), `id="`+string(code)+`"`)
	}
}

func TestOtherPagesAreSomebodyElses(t *testing.T) {
	t.Parallel()

	for path, status := range map[string]int{
		"/docs/versioning": 200, "/docs": 200, "/": 200, "/llms.txt": 200, "/openapi.json": 200, "/openapi.yaml": 200,
		"/.well-known/security.txt": 200, "/docs/": 404, "/docs/errors/": 404, "/openapi": 404, "/.well-known/": 404,
	} {
		require.Equal(t, status, read(t, path).Code, path)
	}

	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, httptest.NewRequest(http.MethodPost, "/docs", nil))
	require.Equal(t, http.StatusNotFound, answer.Code)
}

// Both notations say the same, and are not sent twice.
func TestDescriptions(t *testing.T) {
	t.Parallel()

	var asJSON, asYAML any

	first := read(t, "/openapi.json")
	require.Equal(t, "application/json", first.Header().Get("Content-Type"))
	require.NoError(t, json.Unmarshal(first.Body.Bytes(), &asJSON))
	require.NoError(t, yaml.Unmarshal(read(t, "/openapi.yaml").Body.Bytes(), &asYAML))

	spelled, err := json.Marshal(asYAML)
	require.NoError(t, err)

	again, err := json.Marshal(asJSON)
	require.NoError(t, err)
	require.JSONEq(t, string(again), string(spelled))

	require.Equal(t, http.StatusNotModified, read(t, "/openapi.json", "If-None-Match", first.Header().Get("ETag")).Code)
}

// Every operation has its anchor and its line; every link within the page has its place; nothing is
// fetched from anywhere.
func TestReference(t *testing.T) {
	t.Parallel()

	page, lines := read(t, "/docs").Body.String(), read(t, "/llms.txt").Body.String()
	require.NotContains(t, lines, "{base_url}")

	for _, path := range rest.Describe(base).Paths {
		for _, method := range path.Value {
			require.Contains(t, page, `<section id="`+method.Value.OperationID+`">`)
			require.Contains(t, lines, "- "+method.Value.OperationID+": "+strings.ToUpper(method.Name)+" "+path.Name+" ")
		}
	}

	for _, link := range regexp.MustCompile(`href="#([^"]+)"`).FindAllStringSubmatch(page, -1) {
		require.Equal(t, 1, strings.Count(page, `id="`+link[1]+`"`), link[1])
	}

	require.NotRegexp(t, `<script|src=|@import|url\(`, page)
	require.NotContains(t, page, "ZgotmplZ")
}

func TestSecurityContact(t *testing.T) {
	t.Parallel()

	said := read(t, "/.well-known/security.txt").Body.String()
	require.Contains(t, said, "Contact: https://")
	require.Contains(t, said, "Canonical: "+base+"/.well-known/security.txt\n")

	until, err := time.Parse(time.RFC3339, regexp.MustCompile(`Expires: (\S+)`).FindStringSubmatch(said)[1])
	require.NoError(t, err)
	require.True(t, until.After(time.Now().AddDate(0, 5, 0)) && until.Before(time.Now().AddDate(1, 0, 0)), "within a year")
}
