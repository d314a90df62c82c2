package rest_test

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// A number far out of bounds is refused with the same message as one just out of bounds.
func TestNumbersBeyondEveryBound(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	v := testkit.NewVideo(t, s.Store, owner, testkit.VideoOpts{})
	path := "/v1/videos/" + v.ID

	for _, c := range [][3]string{
		{"defaultPlaybackRate", "0.4", "must be at least 0.5 and at most 2"},
		{"defaultPlaybackRate", "1e400", "must be at least 0.5 and at most 2"},
		{"defaultPlaybackRate", "-1e400", "must be at least 0.5 and at most 2"},
		{"defaultPlaybackRate", "1e17", "must be at least 0.5 and at most 2"},
		{"microphoneVolume", "1e999", "must be at least 0 and at most 2"},
		{"captionPosition", `{"x":1e400,"y":-1e400}`, ""},
		{"dimensions", `{"width":1e400,"height":99999999999999999999}`, ""},
	} {
		answer := s.Call(t, owner.Key, http.MethodPatch, path, `{"`+c[0]+`":`+c[1]+`}`)
		require.Equal(t, http.StatusBadRequest, answer.Status, c)
		require.Contains(t, answer.Body, `"`+c[0], c)
		require.NotContains(t, answer.Body, "9007199254740991", c)

		if c[2] != "" {
			require.Contains(t, answer.Body, c[0]+" "+c[2], c)
		}
	}

	for _, query := range []string{"limit=0", "limit=99999999999999999999", "limit=-99999999999999999999", "limit=9007199254740993"} {
		answer := s.Call(t, owner.Key, http.MethodGet, "/v1/videos?"+query, "")
		require.Equal(t, http.StatusBadRequest, answer.Status, query)
		require.Contains(t, answer.Body, "limit must be at least 1 and at most 100", query)
	}

	for _, literal := range []string{"1e400", "-1e400", "1e17", "0.4"} {
		answer := s.Ask(t, owner.Key, `mutation { updateVideo(id: "`+v.ID+`", input: {defaultPlaybackRate: `+literal+`}) { video { id } } }`, nil)
		require.Equal(t, "bad_request", answer.Code(), "%s: %s", literal, answer.Body)
		require.NotContains(t, answer.Body, "9007199254740991", literal)

		if !strings.HasSuffix(literal, "400") { // GraphQL does not parse it as a number
			require.Contains(t, answer.Body, "defaultPlaybackRate must be at least 0.5 and at most 2", literal)
		}

		body := `{"query":"mutation ($r: Float!) { updateVideo(id: \"` + v.ID + `\", input: {defaultPlaybackRate: $r}) { video { id } } }","variables":{"r":` + literal + `}}`
		sent := s.Call(t, owner.Key, http.MethodPost, "/graphql", body)
		require.Contains(t, sent.Body, "bad_request", literal)
		require.NotContains(t, sent.Body, "server_error", literal)
	}
}

// Time zones are IANA names in any letter case, in REST and in the graph.
func TestTimeZones(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})

	for zone, status := range map[string]int{
		"Europe/Berlin": 200, "europe/berlin": 200, "AMERICA/NEW_YORK": 200, "utc": 200, "Asia/Calcutta": 200, "etc/gmt+5": 200,
		"Factory": 400, "Local": 400, "posix/Europe/Berlin": 400, "Europe": 400, "+01:00": 400,
	} {
		answer := s.Call(t, owner.Key, http.MethodGet, "/v1/analytics?startDate=2026-01-01&endDate=2026-01-02&timezone="+url.QueryEscape(zone), "")
		require.Equal(t, status, answer.Status, "%s: %s", zone, answer.Body)

		asked := s.Ask(t, owner.Key, `query ($zone: String!) { workspaceAnalytics(timezone: $zone) { summary { completions } } }`, map[string]any{"zone": zone})
		require.Equal(t, map[int]string{200: "", 400: "bad_request"}[status], asked.Code(), "%s: %s", zone, asked.Body)

		if status == http.StatusBadRequest {
			require.Contains(t, answer.Body, "timezone must be the IANA name of a time zone")
		}
	}
}

func jsonOf(t *testing.T, value any) string {
	t.Helper()

	body, err := json.Marshal(value)
	require.NoError(t, err)

	return string(body)
}

// An invalid domain is refused by its index, with the rule that it breaks.
func TestAllowedEmbedDomains(t *testing.T) {
	t.Parallel()

	s := api.New(t, api.Options{})
	owner := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	v := testkit.NewVideo(t, s.Store, owner, testkit.VideoOpts{})

	for entry, rule := range map[string]string{
		"'self' http://evil": "must be a domain such as example.com", "co.uk": "co.uk is a public suffix", "https://*.com": "an asterisk is allowed only before a plain domain",
		"*.github.io": "github.io is a public suffix", "javascript://example.com": "must be a domain such as example.com",
		"example.com; script-src *": "must be a domain such as example.com",
	} {
		for _, ask := range []func(list any) string{
			func(list any) string {
				return s.Call(t, owner.Key, http.MethodPatch, "/v1/videos/"+v.ID, jsonOf(t, map[string]any{"allowedEmbedDomains": list})).Body
			},
			func(list any) string {
				return s.Ask(t, owner.Key, `mutation ($d: [String!]!) { updateVideo(id: "`+v.ID+`", input: {allowedEmbedDomains: $d}) { video { id } } }`,
					map[string]any{"d": list}).Body
			},
		} {
			body := ask([]string{"example.com", entry})
			require.Contains(t, body, "allowedEmbedDomains[1] must be a domain such as example.com", entry)
			require.Contains(t, body, rule, entry)
			require.Contains(t, body, "bad_request", entry)
		}
	}

	kept := s.Call(t, owner.Key, http.MethodPatch, "/v1/videos/"+v.ID, `{"allowedEmbedDomains":["example.com","*.example.org:8443","localhost:3000"]}`)
	require.Equal(t, http.StatusOK, kept.Status, kept.Body)
	require.Contains(t, kept.Body, `"allowedEmbedDomains":["example.com","*.example.org:8443","localhost:3000"]`)
}
