package videos

import (
	"context"
	stdsql "database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/lib/pq"
	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/internal/multitrack"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// A rowCopy says how rows of a table are copied: every column unchanged, except those named here.
type rowCopy struct {
	table  string
	kind   ids.Kind
	column string            // the column that names the parent
	parent map[string]string // the copy's parent, by the id of the row's parent
	set    map[string]any
}

// CopyClips copies clips into a video, with their effects, words and chapters. made maps the id of each clip to the
// id of its copy.
func (svc *Service) CopyClips(ctx context.Context, videoID string, made map[string]string) error {
	now := svc.Store.Now()
	at := map[string]any{"created_at": now, "updated_at": now}

	clips := maps.Clone(at)
	clips["video_id"] = videoID

	if err := svc.copyRows(ctx, rowCopy{table: "clips", column: "id", parent: made, set: clips}); err != nil {
		return err
	}

	for _, part := range []rowCopy{
		{table: "effects", kind: ids.Effect, set: at},
		{table: "chapters", kind: ids.Chapter, set: clips},
	} {
		part.column, part.parent = "clip_id", made
		if err := svc.copyRows(ctx, part); err != nil {
			return err
		}
	}

	if err := svc.copyTranscripts(ctx, videoID, made, now); err != nil {
		return err
	}

	return svc.hearCopies(ctx, slices.Collect(maps.Values(made)))
}

const copyTranscriptsSQL = `
INSERT INTO transcripts (id, created_at, updated_at, workspace_id, clip_id, texts, starts, ends, corrected, hidden, cues, confidence)
SELECT n.fresh, $4, $4, t.workspace_id, n.parent, t.texts, t.starts, t.ends, t.corrected, t.hidden, t.cues, t.confidence
FROM transcripts t JOIN unnest($1::text[], $2::text[], $3::text[]) n(clip, parent, fresh) ON n.clip = t.clip_id`

const copyTextsSQL = `
INSERT INTO clip_texts (clip_id, part, workspace_id, video_id, document, first_word, end_word)
SELECT n.parent, t.part, t.workspace_id, $3, t.document, t.first_word, t.end_word
FROM clip_texts t JOIN unnest($1::text[], $2::text[]) n(clip, parent) ON n.clip = t.clip_id`

// copyTranscripts copies the stored words and their search documents without decoding them. It copies the search texts
// first, because the database creates them for a transcript that has none.
func (svc *Service) copyTranscripts(ctx context.Context, videoID string, made map[string]string, now time.Time) error {
	clips, copies, fresh := make([]string, 0, len(made)), make([]string, 0, len(made)), make([]string, 0, len(made))

	for clip, copied := range made {
		clips, copies, fresh = append(clips, clip), append(copies, copied), append(fresh, ids.New(ids.Transcript))
	}

	_, err := svc.Store.Client(ctx).ExecContext(ctx, copyTextsSQL, pq.Array(clips), pq.Array(copies), videoID)
	if err != nil {
		return fmt.Errorf("copy texts: %w", err)
	}

	_, err = svc.Store.Client(ctx).ExecContext(ctx, copyTranscriptsSQL, pq.Array(clips), pq.Array(copies), pq.Array(fresh), now)
	if err != nil {
		return fmt.Errorf("copy words: %w", err)
	}

	return nil
}

// hearCopies queues the transcription of copies whose originals were still waiting for it.
func (svc *Service) hearCopies(ctx context.Context, copies []string) error {
	waiting := clip.And(clip.IDIn(copies...),
		clip.TranscriptStatusIn(values.TranscriptStatusPending, values.TranscriptStatusProcessing))

	rows, err := multitrack.WithSources(svc.Store.Client(ctx).Clip.Query().Where(waiting)).All(ctx)
	if err != nil {
		return fmt.Errorf("read copies of clips: %w", err)
	}

	if len(rows) == 0 {
		return nil
	}

	err = svc.Store.Client(ctx).Clip.Update().Where(waiting).SetTranscriptStatus(values.TranscriptStatusPending).
		SetUpdatedAt(svc.Store.Now()).Exec(ctx)
	if err != nil {
		return fmt.Errorf("queue transcription of copied clips: %w", err)
	}

	var wanted []river.JobArgs

	for _, c := range rows {
		if s := multitrack.Listened(c).Source; s != nil && !multitrack.Waiting(c) {
			wanted = append(wanted, jobs.Transcribe{SourceID: s.ID})
		}
	}

	return svc.Jobs.Add(ctx, wanted...)
}

// copyRows copies rows within the database, so that no column is forgotten. Each row is built once: (f()).* would build
// it for each column. The caller has read the parents, so they belong to the workspace.
func (svc *Service) copyRows(ctx context.Context, c rowCopy) error {
	rows, parents, fresh := []string{}, []string{}, []string{}

	err := svc.Store.Query(ctx, func(found *stdsql.Rows) error {
		var id, parent string
		if err := found.Scan(&id, &parent); err != nil {
			return err //nolint:wrapcheck // wrapped below
		}

		made := c.parent[parent]
		if c.kind != "" {
			made = ids.New(c.kind)
		}

		rows, parents, fresh = append(rows, id), append(parents, c.parent[parent]), append(fresh, made)

		return nil
	}, fmt.Sprintf(`SELECT id, %s FROM %s WHERE %s = ANY($1) ORDER BY id`, c.column, c.table, c.column),
		pq.Array(keysOf(c.parent)))
	if err != nil {
		return fmt.Errorf("read %s to copy: %w", c.table, err)
	}

	if len(rows) == 0 {
		return nil
	}

	set, err := json.Marshal(c.set)
	if err != nil {
		return fmt.Errorf("copy %s: %w", c.table, err)
	}

	//nolint:unqueryvet // all columns are meant
	_, err = svc.Store.Client(ctx).ExecContext(ctx, fmt.Sprintf(`
INSERT INTO %[1]s SELECT made.*
FROM %[1]s t JOIN unnest($1::text[], $2::text[], $3::text[]) n(id, parent, fresh) ON n.id = t.id
CROSS JOIN LATERAL jsonb_populate_record(NULL::%[1]s,
	to_jsonb(t) || jsonb_build_object('%[2]s', n.parent) || jsonb_build_object('id', n.fresh) || $4::jsonb) made
ORDER BY n.fresh`, c.table, c.column), pq.Array(rows), pq.Array(parents), pq.Array(fresh), string(set))
	if err != nil {
		return fmt.Errorf("copy %s: %w", c.table, err)
	}

	return nil
}

func keysOf(m map[string]string) []string {
	keys := make([]string, 0, len(m))
	for key := range m {
		keys = append(keys, key)
	}

	return keys
}
