package rest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// A golden is a file in testdata/golden with requests and their exact answers.
//
//	=== METHOD target      a request, then header lines and body; As: names the caller
//	--- status             its answer, then header lines and the body, to the byte
//	~ {"a":{"b":1}}        or a part of the body: only the named properties
//
// Ids are named by their prefix in the order they appear, and requests use those names. The clock starts at 03:00:00
// and advances one second before each request. -update rewrites whole bodies, but never statuses and parts, which are
// the contract.
var update = flag.Bool("update", false, "rewrite the answers in testdata/golden")

var begun = time.Date(2026, 1, 2, 3, 0, 0, 0, time.UTC)

func TestGoldens(t *testing.T) {
	t.Parallel()

	all, err := filepath.Glob("testdata/golden/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, all)

	dsn := testkit.Database(t) // one for all, each with its own workspace

	for _, path := range all {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txt"), func(t *testing.T) {
			t.Parallel()

			was, err := os.ReadFile(path)
			require.NoError(t, err)

			now := newConversation(t, dsn).replay(string(was))

			if *update {
				require.NoError(t, os.WriteFile(path, []byte(now), 0o600))

				return
			}

			before, after := strings.Split(string(was), "\n"), strings.Split(now, "\n")
			for i, line := range before[:min(len(before), len(after))] {
				require.Equal(t, line, after[i], "%s:%d", path, i+1)
			}

			require.Len(t, after, len(before))
		})
	}
}

// conversation replays a golden.
type conversation struct {
	t       *testing.T
	server  *api.Server
	now     time.Time
	keys    map[string]string
	names   map[string]string // by id
	ids     map[string]string // by name
	counted map[string]int
}

func newConversation(t *testing.T, dsn string) *conversation {
	t.Helper()

	c := &conversation{
		t: t, now: begun, keys: map[string]string{"nobody": ""},
		names: map[string]string{}, ids: map[string]string{}, counted: map[string]int{},
	}
	c.server = api.New(t, api.Options{DSN: dsn, Clock: func() time.Time { return c.now }})

	s := c.server.Store
	owner := testkit.NewMember(t, s, testkit.MemberOpts{})
	free := testkit.NewMember(t, s, testkit.MemberOpts{Plan: auth.PlanFree})
	in := owner.WorkspaceID
	member := testkit.NewMember(t, s, testkit.MemberOpts{WorkspaceID: in})

	for name, m := range map[string]testkit.Member{
		"owner": owner, "free": free, "stranger": testkit.NewMember(t, s, testkit.MemberOpts{}),
		"member": member,
		"viewer": testkit.NewMember(t, s, testkit.MemberOpts{WorkspaceID: in, Role: auth.RoleViewer}),
	} {
		c.keys[name] = m.Key
		c.name(m.UserID, "usr_"+name)
		c.name(strings.TrimSuffix(m.Email, "@example.test"), "usr_mail"+name)
	}

	c.addSources(owner)
	c.name(testkit.NewSource(t, s, member, testkit.SourceOpts{}).ID, "su_member")
	c.name(testkit.NewSource(t, s, free, testkit.SourceOpts{}).ID, "su_free")
	c.name(testkit.NewVideo(t, s, owner, testkit.VideoOpts{
		Visibility: values.VisibilityPersonal, UpdatedAt: begun.Add(-time.Hour),
	}).ID, "vid_personal")

	c.addTags(owner)

	return c
}

// addTags puts a tag of the workspace and a private one on the personal video.
func (c *conversation) addTags(owner testkit.Member) {
	owner.Do(c.t, c.server.Store, func(ctx context.Context, db *ent.Client) {
		for _, scope := range []values.TagScope{values.TagScopeWorkspace, values.TagScopePrivate} {
			tag := db.Tag.Create().SetUserID(owner.UserID).SetName("x").SetNameKey("x").SetColor("#000000FF").SetScope(scope).SaveX(ctx)
			db.VideoTag.Create().SetVideoID(c.ids["vid_personal"]).SetTag(tag).ExecX(ctx)
			c.name(tag.ID, "tag_"+string(scope))
		}
	})
}

func (c *conversation) addSources(owner testkit.Member) {
	camera := testkit.SourceOpts{Role: values.SourceRoleCamera, HasAudio: true, DurationMs: 12_000, Name: "me.webm"}

	for name, o := range map[string]testkit.SourceOpts{
		"su_screen": {Name: "My  talk.final.mp4"}, "su_loud": {HasAudio: true}, "su_camera": camera,
		"su_image": {Kind: values.SourceKindImage}, "su_sound": {Kind: values.SourceKindAudio},
		"su_mouse": {Kind: values.SourceKindMouse}, "su_pending": {Status: values.SourceStatusPending},
		"su_processing": {Status: values.SourceStatusProcessing}, "su_failed": {Status: values.SourceStatusFailed},
	} {
		c.name(testkit.NewSource(c.t, c.server.Store, owner, o).ID, name)
	}

	_, err := c.server.Store.DB.Exec(`UPDATE sources SET audio = CASE WHEN role = 'camera' THEN 'microphone' ELSE audio END,
		probe = CASE WHEN role = 'camera' THEN '{"format": "matroska", "audio": {"channels": 1, "tracks": [
			{"stream": 1, "channels": 2, "language": "eng", "title": "Desktop", "silent": true}, {"stream": 2, "channels": 1}]}}'::jsonb ELSE probe END,
		error_code = CASE WHEN status = 'failed' THEN 'unreadable' ELSE '' END,
		error_message = CASE WHEN status = 'failed' THEN 'No video was found in the file.' ELSE '' END`)
	require.NoError(c.t, err)
}

func (c *conversation) name(id, name string) { c.names[id], c.ids[name] = name, id }

var (
	requestLine = regexp.MustCompile(`^=== (\S+) (\S+)$`)
	statusLine  = regexp.MustCompile(`^--- (\d+)$`)
	headerLine  = regexp.MustCompile(`^([A-Z][\w-]*): (.*)$`)
)

// replay repeats the conversation and returns it with the current answers. Parts of a body are compared immediately.
func (c *conversation) replay(script string) string {
	var (
		out   strings.Builder
		lines = strings.Split(script, "\n")
		given api.Answer
		asked string
	)

	for i := 0; i < len(lines); i++ {
		line := lines[i]

		switch m := requestLine.FindStringSubmatch(line); {
		case m != nil:
			last := i + 1
			for !strings.HasPrefix(lines[last], "---") {
				last++
			}

			asked = strings.Join(lines[i:last], "\n")
			given = c.ask(m[1], m[2], lines[i+1:last])

			fmt.Fprintln(&out, asked)

			i = last - 1
		case strings.HasPrefix(line, "---"):
			status := statusLine.FindStringSubmatch(line)
			require.NotNil(c.t, status, line)

			rest := lines[i+1:]
			end := 0

			for end < len(rest) && rest[end] != "" && !strings.HasPrefix(rest[end], "#") {
				end++
			}

			require.Equal(c.t, status[1], strconv.Itoa(given.Status), "%s\n%s", asked, given.Body)
			fmt.Fprintln(&out, line)
			c.compare(&out, given, rest[:end])
			i += end
		default:
			out.WriteString(line)

			if i < len(lines)-1 {
				out.WriteString("\n")
			}
		}
	}

	return out.String()
}

// compare writes the parts of the answer that the golden shows.
func (c *conversation) compare(out *strings.Builder, got api.Answer, shown []string) {
	body := c.generalise(got.Body)

	for len(shown) > 0 {
		m := headerLine.FindStringSubmatch(shown[0])
		if m == nil {
			break
		}

		fmt.Fprintf(out, "%s: %s\n", m[1], c.generalise(strings.Join(got.Header.Values(m[1]), ", ")))

		shown = shown[1:]
	}

	switch {
	case len(shown) == 1 && strings.HasPrefix(shown[0], "~ "):
		part(c.t, strings.TrimPrefix(shown[0], "~ "), body)
		fmt.Fprintln(out, shown[0])
	case body != "":
		fmt.Fprintln(out, body)
	}
}

// part fails unless the body has all named properties with those values.
func part(t *testing.T, named, body string) {
	t.Helper()

	var want, got any

	require.NoError(t, json.Unmarshal([]byte(named), &want), named)
	require.NoError(t, json.Unmarshal([]byte(body), &got), body)
	require.Equal(t, want, narrow(want, got), body)
}

// narrow returns the parts of got that want names.
func narrow(want, got any) any {
	wanted, isObject := want.(map[string]any)
	object, both := got.(map[string]any)

	if !isObject || !both {
		return got
	}

	kept := map[string]any{}

	for name, value := range wanted {
		if has, there := object[name]; there {
			kept[name] = narrow(value, has)
		}
	}

	return kept
}

func (c *conversation) ask(method, target string, lines []string) api.Answer {
	key := c.keys["owner"]

	var header []string

	for len(lines) > 0 {
		m := headerLine.FindStringSubmatch(lines[0])
		if m == nil {
			break
		}

		if m[1] == "As" {
			key = c.keys[m[2]]
		} else {
			header = append(header, m[1], c.specialise(m[2]))
		}

		lines = lines[1:]
	}

	c.now = c.now.Add(time.Second)
	a := c.server.Call(c.t, key, method, c.specialise(target), c.specialise(strings.Join(lines, "\n")), header...)
	wellFormed(c.t, a)

	return a
}

// wellFormed fails unless an answer is one JSON object without spaces; an error must have exactly its three properties.
func wellFormed(t *testing.T, a api.Answer) {
	t.Helper()

	if a.Status == http.StatusNotModified || a.Status == http.StatusFound {
		require.Empty(t, a.Body)

		return
	}

	require.Equal(t, "application/json", a.Header.Get("Content-Type"))
	require.Equal(t, strconv.Itoa(len(a.Body)), a.Header.Get("Content-Length"))

	var (
		object  map[string]any
		compact bytes.Buffer
	)

	require.NoError(t, json.Unmarshal([]byte(a.Body), &object), a.Body)
	require.NoError(t, json.Compact(&compact, []byte(a.Body)))
	require.Equal(t, compact.String(), a.Body)

	if a.Status >= http.StatusBadRequest {
		require.Len(t, object, 3)
		require.NotEmpty(t, object["message"])
		require.Equal(t, fmt.Sprint(api.BaseURL, "/docs/errors#", object["error"]), object["docsUrl"])
	}
}

var (
	named   = regexp.MustCompile(`\b[a-z]+_[0-9a-z]{26}\b`)
	given   = regexp.MustCompile(`\b(?:[a-z]+_[a-z0-9]+|cursor[0-9]+)\b`)
	cursors = regexp.MustCompile(`("nextCursor":")([^"]+)`)
	tokens  = regexp.MustCompile(`token=(\d+)\.[\w-]+`)
	moments = regexp.MustCompile(`\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z`)
	secrets = regexp.MustCompile(`whsec_[\w+/=]+`)
	hashes  = regexp.MustCompile(`^"(\d+)-[0-9a-f]{16}"$`)
)

// generalise replaces values that differ in each run with their names in the golden.
func (c *conversation) generalise(s string) string {
	s = named.ReplaceAllStringFunc(s, func(id string) string {
		if name, known := c.names[id]; known {
			return name
		}

		prefix, _, _ := strings.Cut(id, "_")
		c.counted[prefix]++
		c.name(id, fmt.Sprint(prefix, "_", c.counted[prefix]))

		return c.names[id]
	})

	s = cursors.ReplaceAllStringFunc(s, func(pair string) string {
		m := cursors.FindStringSubmatch(pair)
		c.counted["cursor"]++
		c.name(m[2], fmt.Sprint("cursor", c.counted["cursor"]))

		return m[1] + c.names[m[2]]
	})

	s = tokens.ReplaceAllStringFunc(s, func(token string) string {
		unix, _ := strconv.ParseInt(tokens.FindStringSubmatch(token)[1], 10, 64)

		return "token=<" + time.Unix(unix, 0).Sub(c.now).String() + ">"
	})

	s = moments.ReplaceAllStringFunc(s, func(moment string) string {
		if strings.HasPrefix(moment, begun.Format(time.DateOnly)) {
			return moment
		}

		return "<now>"
	})

	s = secrets.ReplaceAllString(s, "whsec_<secret>")

	return hashes.ReplaceAllString(s, `"$1-<hash>"`)
}

// specialise replaces the names of a golden with the current values.
func (c *conversation) specialise(s string) string {
	return given.ReplaceAllStringFunc(s, func(name string) string {
		if id, known := c.ids[name]; known {
			return id
		}

		return name
	})
}
