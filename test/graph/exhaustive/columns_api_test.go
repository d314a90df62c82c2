package exhaustive_test

import (
	"context"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	entgo "entgo.io/ent"
	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2/ast"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/extracts"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// A field requested alone gets the same answer as with every column loaded, for every role, for one row and for many.
// The test gives every field a value, so that a column that is not loaded is noticed.
func TestFieldsLoadTheirColumns(t *testing.T) {
	t.Parallel()

	dsn := testkit.Database(t)
	at := time.Now().UTC().Truncate(time.Millisecond)
	clock := func() time.Time { return at } // makes signed addresses equal
	narrow := api.New(t, api.Options{DSN: dsn, Clock: clock})
	wide := api.New(t, api.Options{DSN: dsn, Clock: clock})
	wide.Resolver.Blobs = narrow.Resolver.Blobs

	for _, s := range []*api.Server{narrow, wide} {
		s.Resolver.Media = pictured{}
		s.Resolver.Remake()
	}

	narrowed := &recorder{}
	narrow.Store.Client(t.Context()).Intercept(entgo.TraverseFunc(narrowed.note))
	wide.Store.Client(t.Context()).Intercept(entgo.TraverseFunc(widen))

	owner := testkit.NewMember(t, narrow.Store, testkit.MemberOpts{})
	video := crowd(t, narrow, owner, 2)
	fillUp(t, narrow, owner, video, 2)
	setEverything(t, narrow, owner)

	l := newLister(t, narrow, owner, video)
	l.size = 2
	answered := map[string]map[string]bool{} // by type: each field, and whether it had a value for any role

	for role, who := range map[string]testkit.Member{
		"owner":  owner,
		"viewer": testkit.NewMember(t, narrow.Store, testkit.MemberOpts{WorkspaceID: owner.WorkspaceID, Role: auth.RoleViewer}),
	} {
		for _, one := range l.alone() {
			if answered[one.of] == nil {
				answered[one.of] = map[string]bool{}
			}

			is := narrow.Ask(t, who.Key, one.document, nil)
			ought := wide.Ask(t, who.Key, one.document, nil)
			require.Equal(t, ought.Data, is.Data, "%s.%s needs a column that is not loaded for it (as %s): %s", one.of, one.field, role, one.document)

			if role == "owner" {
				require.Empty(t, is.Errors, one.document)
			}

			answered[one.of][one.field] = answered[one.of][one.field] || said(is.Data, one.field)
		}
	}

	require.Subset(t, slices.Collect(maps.Keys(narrowed.types)), []string{"Video", "Clip", "Export", "Tag", "WebhookMessage"})

	for of := range narrowed.types {
		for field, is := range answered[of] {
			require.True(t, is, "%s.%s has no value: set one in setEverything", of, field)
		}
	}
}

// hidden are fields that are not requested: secrets of endpoints, and what is computed from recordings.
var hidden = []string{"WebhookEndpoint.secret", "Clip.silences", "Source.storyboard"}

// pictured returns a picture that names its request.
type pictured struct{ api.NoMedia }

func (pictured) Still(_ context.Context, of extracts.Picture, _ model.StillQuery) (string, error) {
	return fmt.Sprintf("%s/%s/%d", api.BaseURL, of.VideoID, of.LengthMs), nil
}

func (p pictured) Storyboard(ctx context.Context, of extracts.Picture, _ model.StoryboardQuery) (*model.Storyboard, error) {
	at, err := p.Still(ctx, of, model.StillQuery{})

	return &model.Storyboard{URL: at, Columns: 1, Rows: 1, IntervalMs: 1000}, err
}

// recorder records the types whose rows are loaded in part.
type recorder struct {
	sync.Mutex

	types map[string]bool
}

func (r *recorder) note(_ context.Context, q entgo.Query) error {
	if len(columnsOf(q).Fields) > 1 {
		r.Lock()
		defer r.Unlock()

		if r.types == nil {
			r.types = map[string]bool{}
		}

		r.types[strings.TrimSuffix(reflect.TypeOf(q).Elem().Name(), "Query")] = true
	}

	return nil
}

// widen makes a query of rows load every column. A query of a single column, such as ids, loads no rows.
func widen(_ context.Context, q entgo.Query) error {
	if read := columnsOf(q); len(read.Fields) > 1 && read.Op != entgo.OpQuerySelect {
		read.Fields = nil
	}

	return nil
}

// columnsOf returns the columns that a query loads. ent keeps them in an unexported field.
func columnsOf(q entgo.Query) *ent.QueryContext {
	return (*ent.QueryContext)(reflect.ValueOf(q).Elem().FieldByName("ctx").UnsafePointer())
}

// lone is a document that requests one field of a type.
type lone struct{ of, field, document string }

// alone returns documents that request every reachable field alone, of one row and of many.
func (l *lister) alone() []lone {
	var (
		all  []lone
		seen = map[string]bool{}
		next = []place{{of: l.schema.Query}}
	)

	for ; len(next) > 0; next = next[1:] {
		at := next[0]

		for _, f := range at.of.Fields {
			item, list := l.item(f)

			if strings.HasPrefix(f.Name, "__") || slices.Contains(hidden, at.of.Name+"."+f.Name) || f.Name == "node" || item.IsLeafType() ||
				slices.Contains(forOperators, f.Name) {
				continue
			}

			for _, one := range l.objects(item) {
				to := place{of: one, many: at.many || list, way: append(slices.Clone(at.way), f)}

				if _, known := l.arguments(f, one, 1); !known {
					continue
				}

				all = append(all, l.fieldsAt(to)...)

				if key := fmt.Sprint(one.Name, to.many); !seen[key] {
					seen[key] = true

					next = append(next, to)
				}
			}
		}
	}

	return all
}

// fieldsAt returns documents that request each field at a place alone.
func (l *lister) fieldsAt(at place) []lone {
	var all []lone

	before, after := l.around(at, at.of)

	deep := 1
	if len(at.way) > 2 {
		deep = 0 // deeper fields are expensive and are requested separately
	}

	for _, f := range at.of.Fields {
		if text := l.whole(at.of, f, deep); text != "" {
			all = append(all, lone{at.of.Name, f.Name, before + text + after})
		}
	}

	return all
}

// whole selects a field with everything below it to the given depth, or returns an empty string if its arguments are
// unknown.
func (l *lister) whole(owner *ast.Definition, f *ast.FieldDefinition, deep int) string {
	of := l.schema.Types[f.Type.Name()]

	args, known := l.arguments(f, nil, 2)
	if !known || strings.HasPrefix(f.Name, "__") || slices.Contains(hidden, owner.Name+"."+f.Name) {
		return ""
	}

	if of.IsLeafType() {
		return f.Name + args + " "
	}

	if of.IsAbstractType() {
		return f.Name + args + " { __typename } " // each of the types is requested separately
	}

	below := []string{"__typename "}

	for _, part := range of.Fields {
		if part.Name == "edges" && of.Fields.ForName("nodes") != nil {
			continue // the same type
		}

		if deep > 0 || l.schema.Types[part.Type.Name()].IsLeafType() {
			below = append(below, l.whole(of, part, deep-1))
		}
	}

	return f.Name + args + " { " + strings.Join(below, "") + "} "
}

// said reports whether a field has a value anywhere in the answer.
func said(answer any, field string) bool {
	switch answer := answer.(type) {
	case map[string]any:
		for name, value := range answer {
			if name == field && full(value) || said(value, field) {
				return true
			}
		}
	case []any:
		return slices.ContainsFunc(answer, func(item any) bool { return said(item, field) })
	}

	return false
}

// full reports whether a value differs from Go's zero value.
func full(value any) bool {
	if list, is := value.([]any); is {
		return len(list) > 0
	}

	return value != nil && value != "" && value != false && fmt.Sprint(value) != "0"
}

// setEverything gives the rows of a workspace a value wherever it can.
func setEverything(t *testing.T, s *api.Server, m testkit.Member) {
	t.Helper()

	settings := values.DefaultVideoSettings()
	settings.CustomThumbnailURL = "https://img.example/a.png"
	settings.DownloadsEnabled = true
	editing := values.DefaultEditing()
	editing.StudioSound = true

	m.Do(t, s.Store, func(ctx context.Context, db *ent.Client) {
		source := db.Source.Query().FirstX(ctx)

		db.Video.Update().SetDescription("About").SetRevision(3).SetViews(4).SetDurationMs(20_000).SetSettings(settings).SetEditing(editing).SetThumbnailFault("It is gone.").
			SetBackgroundMusic(&values.BackgroundMusic{SourceID: source.ID, Name: "Song", Volume: 0.2}).ExecX(ctx)
		db.Video.UpdateOne(db.Video.Query().FirstX(ctx)).SetThumbnailKey("x").ExecX(ctx) // one has a picture, one a fault
		db.Chapter.Update().SetDescription("What comes").ExecX(ctx)
		db.Tag.Update().SetDescription("What it is for").ExecX(ctx)
	})

	for _, statement := range []string{
		`UPDATE webhook_attempts SET response_status = 500, response_body = 'No.', error = 'status', next_attempt_at = sent_at WHERE workspace_id = $1`,
		`UPDATE exports SET subtitles = true, progress = 50, revision = 3, error_code = 'source_gone', error_message = 'It is gone.',
			status = CASE WHEN id < (SELECT max(id) FROM exports WHERE workspace_id = $1) THEN 'failed' ELSE 'completed' END, blob_key = 'x'
			WHERE workspace_id = $1`,
		`UPDATE clips SET has_microphone = true, animated_cursor = true, crop = '{"xPct":1,"yPct":2,"widthPct":50,"heightPct":60}',
			microphone_volume = 0.5, border_style = 'snake', corners = 'squircle', transcript_language = 'en' WHERE workspace_id = $1`,
	} {
		_, err := s.Store.DB.ExecContext(t.Context(), statement, m.WorkspaceID)
		require.NoError(t, err)
	}
}
