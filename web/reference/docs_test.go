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

// handler is shared by all tests, because it builds its content once.
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

// TestEveryCodeHasASection: the docsUrl of every error leads to an existing section.
func TestEveryCodeHasASection(t *testing.T) {
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

func TestOtherPathsAreNotServed(t *testing.T) {
	t.Parallel()

	for path, status := range map[string]int{
		"/docs/versioning": 200, "/docs": 200, "/": 200, "/llms.txt": 200, "/openapi.json": 200, "/openapi.yaml": 200,
		"/.well-known/security.txt": 200, "/docs/videos": 200, "/docs/playlist-groups": 200, "/docs/events": 200, "/docs/shapes": 200, "/docs/": 404, "/docs/errors/": 404, "/openapi": 404, "/.well-known/": 404,
	} {
		require.Equal(t, status, read(t, path).Code, path)
	}

	answer := httptest.NewRecorder()
	handler.ServeHTTP(answer, httptest.NewRequest(http.MethodPost, "/docs", nil))
	require.Equal(t, http.StatusNotFound, answer.Code)
}

// TestDescriptions: JSON and YAML have the same content, and support If-None-Match.
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

// address returns the page of a tag's operations.
func address(tag string) string { return "/docs/" + strings.ToLower(strings.ReplaceAll(tag, " ", "-")) }

// TestEveryOperationIsOnAPage: the reference has every operation, with its GraphQL document and who may call it.
func TestEveryOperationIsOnAPage(t *testing.T) {
	t.Parallel()

	lines := read(t, "/llms.txt").Body.String()
	require.NotContains(t, lines, "{base_url}")

	for _, path := range rest.Describe(base).Paths {
		for _, method := range path.Value {
			o := method.Value
			_, section, found := strings.Cut(read(t, address(o.Tags[0])).Body.String(), `<section class="operation" id="`+o.OperationID+`">`)
			require.True(t, found, o.OperationID)

			section, _, _ = strings.Cut(section, "</section>")
			require.Regexp(t, `<b>Who may call it</b> [A-Z][^<]+\. <a`, section, o.OperationID)
			require.Regexp(t, `<a href="/graphiql#query=(query|mutation)[^"]+">`, section, o.OperationID)
			require.Contains(t, lines, "- "+o.OperationID+": "+strings.ToUpper(method.Name)+" "+path.Name+" ")
		}
	}
}

// pages returns all pages, found by following links from the first.
func pages(t *testing.T) map[string]string {
	t.Helper()

	all, waiting := map[string]string{}, []string{"/", "/docs"}

	for len(waiting) > 0 {
		at := waiting[0]
		waiting = waiting[1:]

		if _, known := all[at]; known {
			continue
		}

		answer := read(t, at)
		require.Equal(t, http.StatusOK, answer.Code, at)
		all[at] = answer.Body.String()

		for _, link := range regexp.MustCompile(`href="(/docs[^"#]*)`).FindAllStringSubmatch(all[at], -1) {
			if !strings.HasPrefix(link[1], "/docs/assets/") {
				waiting = append(waiting, link[1])
			}
		}
	}

	require.Len(t, all, 6+len(rest.Describe(base).Tags))

	return all
}

// TestLinksOfPages: every link works, nothing is loaded from other servers, and the policy allows everything on a
// page.
func TestLinksOfPages(t *testing.T) {
	t.Parallel()

	all := pages(t)

	for at, page := range all {
		require.NotContains(t, page, "ZgotmplZ", at)
		require.NotRegexp(t, `<style| style=| on[a-z]+="|(src|href)="(https?:)?//[^w]`, page, at)
		require.Contains(t, read(t, at).Header().Get("Content-Security-Policy"), "default-src 'none'; script-src 'self'; style-src 'self'")

		ids := regexp.MustCompile(` id="([^"]+)"`).FindAllStringSubmatch(page, -1)
		for _, id := range ids {
			require.Equal(t, 1, strings.Count(page, ` id="`+id[1]+`"`), "%s %s", at, id[1])
		}

		for _, link := range regexp.MustCompile(`href="([^"#]*)#([^"]*)"`).FindAllStringSubmatch(page, -1) {
			target := link[1]
			if target == "" {
				target = at
			}

			if target != "/graphiql" {
				require.Contains(t, all[target], ` id="`+link[2]+`"`, "%s links to %s#%s", at, link[1], link[2])
			}
		}

		for _, link := range regexp.MustCompile(`(?:href|src|data-index)="(/docs/assets/[^"]+)"`).FindAllStringSubmatch(page, -1) {
			asset := read(t, link[1])
			require.Equal(t, http.StatusOK, asset.Code, link[1])
			require.Contains(t, asset.Header().Get("Cache-Control"), "immutable")
		}
	}
}

// TestSearchResultsExist: every search result exists.
func TestSearchResultsExist(t *testing.T) {
	t.Parallel()

	all := pages(t)

	var found []struct{ Title, Kind, URL, Words string }

	link := regexp.MustCompile(`data-index="([^"]+)"`).FindStringSubmatch(all["/docs"])
	require.NoError(t, json.Unmarshal(read(t, link[1]).Body.Bytes(), &found))
	require.Greater(t, len(found), 300)

	for _, f := range found {
		page, place, _ := strings.Cut(f.URL, "#")
		require.Contains(t, all, page)
		require.NotEmpty(t, f.Title, f.URL)

		if place != "" {
			require.Contains(t, all[page], ` id="`+place+`"`, f.URL)
		}
	}
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
