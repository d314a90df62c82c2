package exhaustive_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/reelgraph/reelgraph/graph"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// place is a type of the schema with the shortest way to it from a root field, either through lists or not.
type place struct {
	of   *ast.Definition
	many bool
	way  []*ast.FieldDefinition
}

// listed is a document that requests a list, and the type of its items.
type listed struct{ document, item string }

// lister generates documents for each list of objects in the schema, below one row and below many.
type lister struct {
	*testing.T

	schema    *ast.Schema
	values    map[string]string // arguments by field name
	documents map[string]listed // by root field, type and list
	size      int               // page size of the first list
}

// forOperators are root fields that refuse API keys. Their own tests sign in and count their statements.
var forOperators = []string{"system"}

// everyList returns documents that request every list of objects with everything below its items, keyed by place. The
// ids are those of crowd.
func everyList(t *testing.T, s *api.Server, who testkit.Member, video string) map[string]listed {
	t.Helper()

	l := newLister(t, s, who, video)
	l.walk()

	return l.documents
}

// newLister returns a lister that knows the ids of crowd.
func newLister(t *testing.T, s *api.Server, who testkit.Member, video string) *lister {
	t.Helper()

	l := &lister{T: t, schema: graph.Schema(), documents: map[string]listed{}, size: 100, values: map[string]string{
		"playlists.visibility": "ORG", "playlistGroups.visibility": "ORG", "searchVideos.query": `"video"`,
		// The days around the view of crowd. An open range costs too much for many videos.
		"analytics.startDate": time.Now().AddDate(0, 0, -96).Format(`"2006-01-02"`), "analytics.endDate": time.Now().AddDate(0, 0, -33).Format(`"2006-01-02"`),
		"effects.kinds of Layout": "LAYOUT", "effects.kinds of Zoom": "ZOOM", "effects.kinds of Mask": "[BLUR, HIGHLIGHT]",
		"effects.kinds of MediaOverlay": "MEDIA_OVERLAY", "effects.kinds of TextOverlay": "TEXT_OVERLAY", "effects.kinds of SoundEffect": "SOUND_EFFECT",
	}}

	for _, field := range []string{"video.id", "exports.videoId", "comments.videoId", "videoAnalytics.videoId", "node.id of Video"} {
		l.values[field] = fmt.Sprintf("%q", video)
	}

	l.values["node.id of Workspace"] = fmt.Sprintf("%q", who.WorkspaceID)

	for field, query := range map[string]string{
		"clip.id":            `SELECT id FROM clips WHERE video_id = '` + video + `' AND workspace_id = $1 ORDER BY position`,
		"export.id":          `SELECT id FROM exports WHERE video_id = '` + video + `' AND workspace_id = $1`,
		"source.id":          `SELECT screen_source_id FROM clips WHERE workspace_id = $1`,
		"playlistGroup.id":   `SELECT group_id FROM playlists WHERE workspace_id = $1 AND group_id IS NOT NULL GROUP BY 1 ORDER BY count(*) DESC, 1`,
		"playlist.id":        `SELECT playlist_id FROM playlist_videos WHERE workspace_id = $1 GROUP BY 1 ORDER BY count(*) DESC, 1`,
		"webhookEndpoint.id": `SELECT endpoint_id FROM webhook_deliveries WHERE workspace_id = $1 ORDER BY id DESC`,
		"webhookMessage.id":  `SELECT message_id FROM webhook_deliveries WHERE workspace_id = $1 ORDER BY id DESC`,
	} {
		var id string
		require.NoError(t, s.Store.DB.QueryRow(query+" LIMIT 1", who.WorkspaceID).Scan(&id), field)
		l.values[field] = fmt.Sprintf("%q", id)

		kind, _, _ := strings.Cut(field, ".")
		l.values["node.id of "+strings.ToUpper(kind[:1])+kind[1:]] = l.values[field]
	}

	return l
}

// walk visits every type reachable from root fields, below one row and below many.
func (l *lister) walk() {
	seen := map[string]bool{}

	next := []place{{of: l.schema.Query}}

	// A type with lists of its own can also be requested as a node.
	node := l.schema.Query.Fields.ForName("node")
	for _, one := range l.schema.GetPossibleTypes(l.schema.Types["Node"]) {
		next = append(next, place{of: one, way: []*ast.FieldDefinition{node}})
	}

	for ; len(next) > 0; next = next[1:] {
		at := next[0]

		for _, f := range at.of.Fields {
			item, list := l.item(f)

			skipped := slices.Concat(unmade, forOperators, []string{"node", "nodes"})
			if strings.HasPrefix(f.Name, "__") || slices.Contains(skipped, f.Name) || item.IsLeafType() {
				continue
			}

			to := place{of: item, many: at.many || list, way: append(slices.Clone(at.way), f)}

			for _, one := range l.objects(item) {
				if list {
					name := fmt.Sprintf("%s: %s.%s, below many: %t, %s", to.way[0].Name, at.of.Name, f.Name, at.many, one.Name)
					before, after := l.around(to, one)
					parts := l.selected(one)

					for i, part := range parts {
						l.documents[fmt.Sprint(name, " ", i+1)] = listed{before + part + after, one.Name}
					}

					if edged, is := strings.CutSuffix(before, "nodes { "); is {
						l.documents[name+" edges"] = listed{edged + "edges { cursor node { " + parts[0] + "} " + after, one.Name}
					}
				}

				if key := fmt.Sprint(one.Name, to.many); !seen[key] && to.way[0] != node && to.way[0].Name != "trash" { // everything below is the same
					seen[key] = true

					next = append(next, place{of: one, many: to.many, way: to.way})
				}
			}
		}
	}
}

// objects returns the object types that a value of a type can have.
func (l *lister) objects(of *ast.Definition) []*ast.Definition {
	if of.IsAbstractType() {
		return l.schema.GetPossibleTypes(of)
	}

	return []*ast.Definition{of}
}

// item returns the type a field leads to: the items of a list or connection, or its single value.
func (l *lister) item(f *ast.FieldDefinition) (of *ast.Definition, list bool) {
	of = l.schema.Types[f.Type.Name()]

	if nodes := of.Fields.ForName("nodes"); nodes != nil {
		return l.schema.Types[nodes.Type.Name()], true
	}

	return of, f.Type.Elem != nil
}

// around returns the text around a selection at a place for values of type of. It requests a full page of the first
// list on the way and one item of each list below.
func (l *lister) around(p place, of *ast.Definition) (before, after string) {
	opened, size := []string{"{"}, l.size

	if last := p.way[len(p.way)-1]; p.many && last.Arguments.ForName("first") == nil {
		size = min(size, 40) // a list without pages counts as a long one; below 100 rows it is refused
	}

	if of.Name == "AnalyticsDay" && p.way[0].Name == "videos" {
		size = min(size, 20)
	}

	for i, f := range p.way {
		item, list := l.item(f)
		one := of

		if item.IsAbstractType() && i+1 < len(p.way) {
			one = l.owner(item, p.way[i+1])
		}

		args, known := l.arguments(f, one, size)
		require.True(l, known, "add the arguments of %s for %s to newLister", f.Name, p.of.Name)

		opened = append(opened, f.Name+args+" {")

		switch connection := l.schema.Types[f.Type.Name()] != item; {
		case connection && size > 1:
			opened = append(opened, "totalCount nodes {")
		case connection: // counting items below many rows is expensive
			opened = append(opened, "nodes {")
		}

		if list {
			size = 1
		}

		if item.IsAbstractType() {
			opened = append(opened, "... on "+one.Name+" {")
		}
	}

	return strings.Join(opened, " ") + " ", strings.Repeat("}", len(opened))
}

// owner returns the object type that has a field, among those that a value may have.
func (l *lister) owner(of *ast.Definition, f *ast.FieldDefinition) *ast.Definition {
	all := l.objects(of)

	return all[slices.IndexFunc(all, func(one *ast.Definition) bool { return one.Fields.ForName(f.Name) == f })]
}

// arguments returns arguments for a field on items of a type, or false when it needs one that the test does not know.
func (l *lister) arguments(f *ast.FieldDefinition, of *ast.Definition, size int) (string, bool) {
	var given []string

	for _, a := range f.Arguments {
		value, known := l.values[f.Name+"."+a.Name]
		if !known && of != nil {
			value, known = l.values[f.Name+"."+a.Name+" of "+of.Name]
		}

		switch {
		case known:
			given = append(given, a.Name+": "+value)
		case a.Name == "first":
			given = append(given, fmt.Sprint("first: ", size))
		case a.Type.NonNull && a.DefaultValue == nil:
			return "", false
		}
	}

	if len(given) == 0 {
		return "", true
	}

	return "(" + strings.Join(given, ", ") + ")", true
}

// selected returns the leaves of a type and of its single objects, in parts that are cheap enough for 100 rows.
func (l *lister) selected(of *ast.Definition) []string {
	const most = 30

	parts, size := []string{"__typename "}, 1

	for _, f := range of.Fields {
		item, list := l.item(f)
		text, fields := l.leaf(f)

		if object := !item.IsLeafType() && !item.IsAbstractType() && !list; object && text != "" {
			text += "{ __typename "

			for _, below := range item.Fields {
				if of := l.schema.Types[below.Type.Name()]; of.IsLeafType() {
					leaf, n := l.leaf(below)
					text, fields = text+leaf, fields+n
				}
			}

			text += "} "
		} else if !item.IsLeafType() {
			continue
		}

		if size += fields; size > most {
			parts, size = append(parts, "__typename "), 1+fields
		}

		parts[len(parts)-1] += text
	}

	return parts
}

// unmade are fields that crowd creates no data for: secrets of endpoints, and what is computed from recordings.
// internal/extracts counts the statements of silences.
var unmade = []string{"secret", "still", "storyboard", "silences"}

// leaf selects a field if it needs no arguments.
func (l *lister) leaf(f *ast.FieldDefinition) (text string, fields int) {
	args, known := l.arguments(f, nil, 0)
	if !known || strings.HasPrefix(f.Name, "__") || slices.Contains(unmade, f.Name) {
		return "", 0
	}

	return f.Name + args + " ", 1
}
