package extracts_test

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/extract"
	"github.com/reelgraph/reelgraph/internal/extracts"
	"github.com/reelgraph/reelgraph/internal/video/plan"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/test/testkit"
	"github.com/reelgraph/reelgraph/test/testkit/api"
	"github.com/reelgraph/reelgraph/test/testkit/footage"
)

// Reading silences that were measured before takes as many statements for a hundred clips as for one, below one video
// and below many, also when their time of last use has to be updated.
func TestStatementsOfSilencesDoNotGrow(t *testing.T) {
	t.Parallel()

	wire := api.NewWire(t, testkit.Database(t))
	l := newLabAt(t, wire.DSN)
	sizes := []int{1, 20, 100}
	counts := map[string][]int64{}

	for _, n := range sizes {
		l.member = testkit.NewMember(t, l.Store, testkit.MemberOpts{})
		long := l.talks(n)

		_, err := l.Store.DB.Exec(`UPDATE api_keys SET last_used_at = now() + interval '1 hour'`)
		require.NoError(t, err)

		for name, document := range map[string]string{
			"below one":  `{ video(id: "` + long + `") { clips(first: 100) { nodes { silences { startTimeMs durationMs } } } } }`,
			"below many": `{ videos(first: 100) { nodes { clips(first: 1) { nodes { silences { startTimeMs durationMs } } } } } }`,
		} {
			l.Ask(t, l.member.Key, document, nil) // warm-up: the costs of the document are cached

			for _, used := range []time.Duration{0, -2 * time.Hour} {
				l.member.Do(t, l.Store, func(ctx context.Context, c *ent.Client) {
					c.Extract.Update().SetUsedAt(time.Now().Add(used)).ExecX(ctx)
				})

				before := wire.Count()
				g := l.Ask(t, l.member.Key, document, nil)
				require.Empty(t, g.Errors, g.Body)
				require.Equal(t, n, strings.Count(g.Body, `"silences":[{"startTimeMs":0,"durationMs":4000},{"startTimeMs":9000,"durationMs":1000}]`), g.Body)

				key := name + used.String()
				counts[key] = append(counts[key], wire.Count()-before)
			}
		}
	}

	for name, by := range counts {
		require.Equal(t, []int64{by[0], by[0], by[0]}, by, name)
	}
}

// talks creates n videos, the last with n clips; each clip has its own recording, whose silences are measured. It
// returns the id of the last one.
func (l *lab) talks(n int) (last string) {
	l.Helper()

	silences, err := json.Marshal([]values.Span{{EndMs: 4000}, {StartMs: 9000, EndMs: 10_000}})
	require.NoError(l, err)
	_, err = l.Resolver.Blobs.Put(l.Context(), l.member.UserID, bytes.NewReader(silences))
	require.NoError(l, err)

	sound := func() *ent.Source {
		src := testkit.NewSource(l, l.Store, l.member, testkit.SourceOpts{HasAudio: true})
		recipe := extracts.Recipe{Kind: values.ExtractSilences, SourceID: src.ID, Content: src.Sha256, Engine: plan.Engine, LengthMs: src.DurationMs}

		key, err := recipe.Key()
		require.NoError(l, err)

		l.member.Do(l, l.Store, func(ctx context.Context, c *ent.Client) {
			c.Extract.Create().SetSubjectID(src.ID).SetKey(key).SetRecipe(json.RawMessage(`{}`)).SetStatus(values.ExtractStatusReady).
				SetUsedAt(time.Now()).SetFiles([]values.ExtractFile{{Name: "silences.json", BlobKey: l.member.UserID}}).ExecX(ctx)
		})

		return src
	}

	for range n {
		last = testkit.NewVideo(l, l.Store, l.member, testkit.VideoOpts{Source: sound()}).ID
	}

	for i := 1; i < n; i++ {
		src := sound()
		l.clip(last, i, src, src.DurationMs)
	}

	return last
}

// Stored silences equal newly measured ones, also where clips share a recording, and inside a mutation.
func TestSilencesOfManyClips(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	l.work()

	v, shared := l.video(func(path string) error {
		return footage.Talk(t.Context(), path, footage.Film{FPS: 10, Frames: 60}, 500, 1500)
	})
	other := l.source(func(path string) error {
		return footage.Talk(t.Context(), path, footage.Film{FPS: 10, Frames: 60}, 2500, 3700)
	})
	mute := testkit.NewSource(t, l.Store, l.member, testkit.SourceOpts{})

	// The second clip shares the first one's recording and is longer than it.
	for i, src := range []*ent.Source{shared, other, mute} {
		l.clip(v.ID, i+1, src, shared.DurationMs+1000)
	}

	document := `{ video(id: "` + v.ID + `") { clips(first: 9) { nodes { silences { startTimeMs durationMs } } } } }`
	measured := l.Ask(t, l.member.Key, document, nil)
	require.Empty(t, measured.Errors, measured.Body)

	silences := strings.Count(measured.Body, `"startTimeMs"`)
	require.Equal(t, 2+2+2+0, silences, measured.Body)
	require.Contains(t, measured.Body, `"silences":[]`)

	require.Equal(t, measured.Data, l.Ask(t, l.member.Key, document, nil).Data)

	written := l.Ask(t, l.member.Key, `mutation { updateVideo(id: "`+v.ID+`", input: {name: "X"}) { video {
		clips(first: 9) { nodes { silences { startTimeMs durationMs } } } } } }`, nil)
	require.Empty(t, written.Errors, written.Body)
	require.Equal(t, measured.Data["video"], written.Data["updateVideo"].(map[string]any)["video"])

	// Silences that cannot be read fail only where they are selected.
	l.member.Do(t, l.Store, func(ctx context.Context, c *ent.Client) {
		c.Extract.Update().Where(extract.SubjectID(other.ID)).SetFiles([]values.ExtractFile{{Name: "silences.json", BlobKey: "stills/none"}}).ExecX(ctx)
	})

	broken := l.Ask(t, l.member.Key, `{ video(id: "`+v.ID+`") { name clips(first: 1) { nodes { silences { startTimeMs } } } } }`, nil)
	require.Empty(t, broken.Errors, broken.Body)

	broken = l.Ask(t, l.member.Key, document, nil)
	require.Len(t, broken.Errors, 1, broken.Body)
	require.Equal(t, []any{"video", "clips", "nodes", 2.0, "silences"}, broken.Errors[0].Path)
}

// clip adds a clip to a video.
func (l *lab) clip(video string, position int, src *ent.Source, lengthMs int64) {
	l.Helper()

	l.member.Do(l, l.Store, func(ctx context.Context, c *ent.Client) {
		c.Clip.Create().SetVideoID(video).SetName("C").SetPosition(position).SetScreenSource(src).SetRecordingMs(lengthMs).
			SetDurationMs(lengthMs).SetCuts(values.Cuts{}).SetBackground(values.DefaultBackground()).
			SetHasMicrophone(false).SetHasSystemAudio(src.HasAudio).ExecX(ctx)
	})
}
