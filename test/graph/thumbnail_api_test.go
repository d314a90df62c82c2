package graph_test

import (
	"context"
	"encoding/json"
	"net/http"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
)

// Addresses of pictures are the same whenever they are read within an hour, through GraphQL and REST, so that browsers
// load nothing twice. An edit changes those of the video's thumbnails.
func TestAddressesOfPicturesStayTheSame(t *testing.T) {
	t.Parallel()

	var minutes atomic.Int64

	s := api.New(t, api.Options{Clock: func() time.Time {
		return time.Date(2026, time.May, 4, 9, int(minutes.Load()), 0, 0, time.UTC)
	}})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})
	v := testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{})
	image := testkit.NewSource(t, s.Store, m, testkit.SourceOpts{Kind: values.SourceKindImage})
	m.Do(t, s.Store, func(ctx context.Context, c *ent.Client) {
		c.LibraryItem.Create().SetUserID(m.UserID).SetSourceID(image.ID).SetScope(values.LibraryScopeWorkspace).
			SetType(values.LibraryTypeImage).SetName("Logo").ExecX(ctx)
		c.Clip.UpdateOne(v.Edges.Clips[0]).SetBackground(values.Background{Type: values.BackgroundTypeImage, SourceID: image.ID}).ExecX(ctx)
	})

	const document = `query($id: ID!) { video(id: $id) {
		thumbnails { small { gif jpg mp4 webp } xl { jpg } } clips { nodes { background { imageUrl } } }
	} library(scope: WORKSPACE) { nodes { url } } backgrounds { workspace { previewUrl } } }`

	type answers struct{ graph, thumbnails string }

	read := func() answers {
		g := s.Ask(t, m.Key, document, map[string]any{"id": v.ID})
		require.Empty(t, g.Errors, g.Body)

		data, err := json.Marshal(g.Data)
		require.NoError(t, err)

		var detail struct {
			Video struct{ Thumbnails json.RawMessage }
		}

		a := s.Call(t, m.Key, http.MethodGet, "/v1/videos/"+v.ID, "")
		require.NoError(t, json.Unmarshal([]byte(a.Body), &detail), a.Body)
		require.Contains(t, string(detail.Video.Thumbnails), "/stills/"+v.ID+"/")

		return answers{string(data), string(detail.Video.Thumbnails)}
	}

	first := read()

	minutes.Store(59)
	require.Equal(t, first, read())

	minutes.Store(60)

	later := read()
	require.NotEqual(t, first.graph, later.graph)
	require.NotEqual(t, first.thumbnails, later.thumbnails)

	s.Call(t, m.Key, http.MethodPatch, "/v1/videos/"+v.ID, `{"name":"Renamed"}`)
	require.NotEqual(t, later.thumbnails, read().thumbnails)
}

// poser is a video whose thumbnail is chosen through the graph.
type poser struct {
	*testing.T
	*api.Server

	owner testkit.Member
	video *ent.Video
}

func newPoser(t *testing.T) *poser {
	t.Helper()

	p := &poser{T: t, Server: api.New(t, api.Options{})}
	p.owner = testkit.NewMember(t, p.Store, testkit.MemberOpts{})
	p.video = testkit.NewVideo(t, p.Store, p.owner, testkit.VideoOpts{})

	return p
}

const shownThumbnail = `revision thumbnail { kind atMs sourceId url status error } settings { customThumbnailURL }`

// posed is what a video says of its thumbnail.
type posed struct {
	revision  int
	thumbnail map[string]any
	address   any // the setting
}

func posedIn(video any) posed {
	thumbnail, _ := api.Dig(video, "thumbnail").(map[string]any)

	return posed{int(api.Dig(video, "revision").(float64)), thumbnail, api.Dig(video, "settings", "customThumbnailURL")}
}

// choose sets the thumbnail with an input.
func (p *poser) choose(input string) posed {
	p.Helper()

	g := p.Ask(p.T, p.owner.Key, `mutation { setThumbnail(videoId: "`+p.video.ID+`", input: `+input+`) { video { `+shownThumbnail+` } } }`, nil)
	require.Empty(p, g.Errors, g.Body)

	return posedIn(api.Dig(g.Data, "setThumbnail", "video"))
}

// change runs another mutation, and returns what the video says afterwards.
func (p *poser) change(mutation string) posed {
	p.Helper()

	g := p.Ask(p.T, p.owner.Key, `mutation { `+mutation+` { __typename } }`, nil)
	require.Empty(p, g.Errors, g.Body)

	g = p.Ask(p.T, p.owner.Key, `{ video(id: "`+p.video.ID+`") { `+shownThumbnail+` } }`, nil)
	require.Empty(p, g.Errors, g.Body)

	return posedIn(api.Dig(g.Data, "video"))
}

func frameAt(ms any) map[string]any {
	return map[string]any{"kind": "FRAME", "atMs": ms, "sourceId": nil, "url": nil, "status": "READY", "error": nil}
}

// A frame stays the same frame when the film changes: its time is that of the present film, and null while it is cut
// away.
func TestThumbnailOfAFrame(t *testing.T) {
	t.Parallel()

	p := newPoser(t)
	clip := p.video.Edges.Clips[0].ID

	require.Equal(t, posed{1, frameAt(4000.0), nil}, p.choose(`{atMs: 4000}`))
	require.Equal(t, posed{1, frameAt(4000.0), nil}, p.choose(`{atMs: 4000, sourceId: null, url: null}`), "nothing changes")

	require.Equal(t, posed{2, frameAt(3000.0), nil}, p.change(`cutClip(id: "`+clip+`", input: {cuts: [{fromMs: 1000, toMs: 2000}]})`))
	require.Equal(t, posed{2, frameAt(3000.0), nil}, p.choose(`{atMs: 3000}`), "the same frame")

	copied := p.change(`duplicateClip(id: "` + clip + `")`)
	require.Equal(t, posed{3, frameAt(3000.0), nil}, copied)

	// 9 s of the copy play before it now.
	require.Equal(t, posed{4, frameAt(12_000.0), nil}, p.change(`reorderClip(id: "`+clip+`", input: {order: 1})`))

	g := p.Ask(t, p.owner.Key, `mutation { duplicateVideo(id: "`+p.video.ID+`") { video { thumbnail { kind atMs } } } }`, nil)
	require.Equal(t, map[string]any{"kind": "FRAME", "atMs": 12_000.0}, api.Dig(g.Data, "duplicateVideo", "video", "thumbnail"), g.Body)

	require.Equal(t, posed{5, frameAt(nil), nil}, p.change(`cutClip(id: "`+clip+`", input: {cuts: [{fromMs: 2900, toMs: 3100}]})`))
	require.Equal(t, posed{6, frameAt(nil), nil}, p.change(`deleteClip(id: "`+clip+`")`))
	require.Equal(t, posed{7, nil, nil}, p.choose(`{}`))
	require.Equal(t, posed{7, nil, nil}, p.choose(`{}`))
}

// A frame, an image and an address replace each other, and an image is in use for as long as it is chosen.
func TestThumbnailsReplaceEachOther(t *testing.T) {
	t.Parallel()

	const address = "https://pictures.example/a.png"

	p := newPoser(t)
	image := testkit.NewSource(t, p.Store, p.owner, testkit.SourceOpts{Kind: values.SourceKindImage}).ID
	ofImage := map[string]any{"kind": "SOURCE", "atMs": nil, "sourceId": image, "url": nil, "status": "READY", "error": nil}
	atAddress := map[string]any{"kind": "URL", "atMs": nil, "sourceId": nil, "url": address, "status": "PENDING", "error": nil}
	drop := func() string {
		return p.Ask(t, p.owner.Key, `mutation { deleteSource(id: "`+image+`") { deletedId } }`, nil).Code()
	}

	require.Equal(t, posed{1, ofImage, nil}, p.choose(`{sourceId: "`+image+`"}`))
	require.Equal(t, "conflict", drop())

	require.Equal(t, posed{2, atAddress, address}, p.choose(`{url: "`+address+`"}`))
	require.Equal(t, 1, queued(t, p.Server, "thumbnail"))
	require.Equal(t, posed{2, atAddress, address}, p.choose(`{url: "`+address+`"}`))
	require.Equal(t, 1, queued(t, p.Server, "thumbnail"))

	require.Equal(t, posed{3, frameAt(0.0), nil}, p.choose(`{atMs: 0}`))
	require.Equal(t, posed{4, atAddress, address}, p.change(`updateVideo(id: "`+p.video.ID+`", input: {customThumbnailURL: "`+address+`"})`))
	require.Equal(t, posed{5, ofImage, nil}, p.choose(`{sourceId: "`+image+`"}`))
	require.Equal(t, posed{5, ofImage, nil}, p.change(`updateVideo(id: "`+p.video.ID+`", input: {customThumbnailURL: null})`), "there is no address to clear")

	g := p.Ask(t, p.owner.Key, `mutation { duplicateVideo(id: "`+p.video.ID+`") { video { id thumbnail { sourceId } } } }`, nil)
	require.Equal(t, image, api.Dig(g.Data, "duplicateVideo", "video", "thumbnail", "sourceId"), g.Body)

	require.Equal(t, posed{6, nil, nil}, p.choose(`{}`))
	require.Equal(t, "conflict", drop(), "the copy still shows it")
	p.Ask(t, p.owner.Key, `mutation { deleteVideo(id: "`+api.Dig(g.Data, "duplicateVideo", "video", "id").(string)+`") { deletedId } }`, nil)
	require.Empty(t, drop())
}

// queued returns how many jobs of a kind there were.
func queued(t *testing.T, s *api.Server, kind string) (n int) {
	t.Helper()

	require.NoError(t, s.Store.DB.QueryRow(`SELECT count(*) FROM river_job WHERE kind = $1`, kind).Scan(&n))

	return n
}

// Only editors choose, only images that they may use, and one at a time.
func TestThumbnailsAreRefused(t *testing.T) {
	t.Parallel()

	p := newPoser(t)
	stranger := testkit.NewMember(t, p.Store, testkit.MemberOpts{})
	colleague := testkit.NewMember(t, p.Store, testkit.MemberOpts{WorkspaceID: p.owner.WorkspaceID, Role: auth.RoleMember})
	viewer := testkit.NewMember(t, p.Store, testkit.MemberOpts{WorkspaceID: p.owner.WorkspaceID, Role: auth.RoleViewer})
	of := func(m testkit.Member, o testkit.SourceOpts) string {
		return `{sourceId: "` + testkit.NewSource(t, p.Store, m, o).ID + `"}`
	}
	image := testkit.SourceOpts{Kind: values.SourceKindImage}
	arriving := testkit.SourceOpts{Kind: values.SourceKindImage, Status: values.SourceStatusUploading}

	for _, c := range []struct {
		who         testkit.Member
		input, code string
	}{
		{p.owner, `{atMs: 1, url: "https://pictures.example/a.png"}`, "bad_request"},
		{p.owner, `{atMs: 10000}`, "bad_request"}, // the end
		{p.owner, `{atMs: -1}`, "bad_request"},
		{p.owner, `{url: "ftp://pictures.example/a.png"}`, "bad_request"},
		{p.owner, of(p.owner, testkit.SourceOpts{}), "bad_request"}, // a recording
		{p.owner, of(p.owner, arriving), "conflict"},
		{p.owner, of(stranger, image), "not_found"},
		{p.owner, of(colleague, image), "not_found"},
		{stranger, of(stranger, image), "not_found"},
		{stranger, `{}`, "not_found"},
		{colleague, of(colleague, image), "forbidden"},
		{colleague, `{atMs: 0}`, "forbidden"},
		{viewer, `{}`, "forbidden"},
	} {
		g := p.Ask(t, c.who.Key, `mutation { setThumbnail(videoId: "`+p.video.ID+`", input: `+c.input+`) { video { id } } }`, nil)
		require.Equal(t, c.code, g.Code(), "%s: %s", c.input, g.Body)
	}

	require.Equal(t, posed{0, nil, nil}, p.change(`updateVideo(id: "`+p.video.ID+`", input: {name: "A video"})`))
}

// The frames of many videos take as many statements as that of one.
func TestFramesOfManyVideos(t *testing.T) {
	t.Parallel()

	wire := api.NewWire(t, testkit.Database(t))
	s := api.New(t, api.Options{DSN: wire.DSN})
	m := testkit.NewMember(t, s.Store, testkit.MemberOpts{})

	for i := range 20 {
		v := testkit.NewVideo(t, s.Store, m, testkit.VideoOpts{})
		m.Do(t, s.Store, func(ctx context.Context, c *ent.Client) {
			c.Video.UpdateOne(v).SetThumbnail(&values.ChosenThumbnail{ClipID: v.Edges.Clips[0].ID, AtMs: int64(i)}).ExecX(ctx)
		})
	}

	var counts []int64

	for _, n := range []int{1, 1, 20} { // the first request prepares statements
		before := wire.Count()
		g := s.Ask(t, m.Key, `query($n: Int!) { videos(first: $n) { nodes { thumbnail { kind atMs } } } }`, map[string]any{"n": n})
		require.Empty(t, g.Errors, g.Body)

		counts = append(counts, wire.Count()-before)

		nodes, _ := api.Dig(g.Data, "videos", "nodes").([]any)
		require.Len(t, nodes, n)

		for i, node := range nodes { // the last made comes first
			require.Equal(t, map[string]any{"kind": "FRAME", "atMs": float64(19 - i)}, api.Dig(node, "thumbnail"))
		}
	}

	require.Equal(t, counts[1], counts[2], counts)
}
