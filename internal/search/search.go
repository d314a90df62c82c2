package search

import (
	"context"
	stdsql "database/sql"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"entgo.io/ent/dialect"
	"entgo.io/ent/dialect/sql"
	"github.com/lib/pq"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/clip"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/access"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/cursor"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// How many words are quoted around a match.
const (
	wordsBefore = 8
	wordsBehind = 16
)

// search holds the query, the filters and the reader of one search.
type search struct {
	who auth.Viewer
	model.SearchQuery

	filter model.VideoFilter
}

func (s search) in(where values.SearchIn) bool {
	return len(s.SearchIn) == 0 || slices.Contains(s.SearchIn, where)
}

// name identifies the search in cursors.
func (s search) name() string {
	parts := []string{
		"search", s.who.WorkspaceID, s.who.UserID, strconv.FormatBool(s.in(values.SearchInTitle)),
		strconv.FormatBool(s.in(values.SearchInTranscript)), s.Query,
	}

	if filter := s.filter.Name(); filter != "" {
		parts = append(parts, filter)
	}

	return strings.Join(parts, "|")
}

// hit is the best match of a video: a title before a transcript, then by rank.
type hit struct {
	videoID, clipID string
	class           int
	rank            int64
}

// hitsSQL finds hits. %[1]s selects the ids of the videos that the caller may read and that pass the filter. The last
// parameters are the query, the workspace, and whether titles and transcripts are searched.
const hitsSQL = `
WITH asked AS (SELECT search_words($%[2]d) AS words, (quote_literal($%[3]d)::tsquery && search_words($%[2]d)) AS words_here),
found AS (
	SELECT v.id AS video_id, '' AS clip_id, 0 AS class,
		(ts_rank(search_document(v.workspace_id, search_fold(v.name)), words) * 1000000)::bigint AS rank
	FROM asked, videos v WHERE $%[4]d AND search_document(v.workspace_id, search_fold(v.name)) @@ words_here
	UNION ALL
	SELECT t.video_id, t.clip_id, 1, (ts_rank(t.document, words) * 1000000)::bigint
	FROM asked, clip_texts t WHERE $%[5]d AND t.document @@ words_here
),
hits AS (
	SELECT DISTINCT ON (video_id) video_id, clip_id, class, rank FROM found
	WHERE video_id IN (%[1]s) ORDER BY video_id, class, rank DESC, clip_id
)`

// SearchVideos returns a page of the matching videos that pass the filter. It returns not_found if the caller may not
// read what the filter names.
func (svc *Service) SearchVideos(
	ctx context.Context, asked model.SearchQuery, filter model.VideoFilter, size int, after *string,
) (*model.SearchResultConnection, error) {
	for _, given := range []any{&asked, &filter} {
		if err := input.Validate(given); err != nil {
			return nil, err
		}
	}

	who, err := access.Viewer(ctx)
	if err != nil {
		return nil, err
	}

	s := search{who, asked, filter}
	turn := svc.Listing.Paging.Turn(s.name())

	var from *cursor.Cursor

	if after != nil {
		begin, err := turn.Open(ctx, *after)
		if err != nil {
			return nil, err
		}

		from = &begin
	}

	if err := svc.CheckFilter(ctx, who, filter); err != nil {
		return nil, err
	}

	results, more, err := svc.found(ctx, s, size, from)
	if err != nil {
		return nil, err
	}

	page := paging.PageOf(turn, results, len(results), func(found *model.SearchResult) cursor.Cursor {
		return hit{videoID: found.Video.ID, class: classOf(found.MatchedIn), rank: found.Rank}.place()
	}, func(ctx context.Context) (int, error) { return svc.countHits(ctx, s) })
	page.PageInfo.HasNextPage = more

	return page, nil
}

// found returns the results of a page and whether more follow. Videos that were deleted after their hits were found
// leave gaps. Later hits fill the gaps, so that a page that promises more is followed by a page that is not empty.
func (svc *Service) found(ctx context.Context, s search, size int, from *cursor.Cursor) ([]*model.SearchResult, bool, error) {
	var results []*model.SearchResult

	for more := true; ; {
		wanted := size - len(results)
		if !more || wanted == 0 {
			return results, more, nil
		}

		hits, err := svc.hits(ctx, s, wanted+1, from)
		if err != nil {
			return nil, false, err
		}

		more = len(hits) > wanted
		hits = hits[:min(len(hits), wanted)]

		some, err := svc.resultsOf(ctx, s, hits, selection.Of(ctx).Items().Below("video"))
		if err != nil {
			return nil, false, err
		}

		results = append(results, some...)

		if n := len(hits); n > 0 {
			last := hits[n-1].place()
			from = &last
		}
	}
}

// place returns the position of a hit in the list.
func (h hit) place() cursor.Cursor { return cursor.Cursor{AtMs: h.rank, ID: h.videoID, Class: h.class} }

func classOf(in values.SearchIn) int {
	if in == values.SearchInTitle {
		return 0
	}

	return 1
}

// hitsQuery returns the beginning of a statement about hits, and its parameters.
func (s search) hitsQuery() (string, []any) {
	table := sql.Table(video.Table)
	of := sql.Dialect(dialect.Postgres).Select(table.C(video.FieldID)).From(table).
		Where(sql.EQ(table.C(video.FieldWorkspaceID), s.who.WorkspaceID))
	access.Readable(s.who)(of)

	for _, passes := range Filtered(s.filter, "") {
		passes(of)
	}

	base, args := of.Query()
	n := len(args)

	return fmt.Sprintf(hitsSQL, base, n+1, n+2, n+3, n+4),
		append(args, s.Query, s.who.WorkspaceID, s.in(values.SearchInTitle), s.in(values.SearchInTranscript))
}

func (svc *Service) hits(ctx context.Context, s search, size int, from *cursor.Cursor) ([]hit, error) {
	query, args := s.hitsQuery()
	query += " SELECT video_id, clip_id, class, rank FROM hits"

	if from != nil {
		n := len(args)
		query += fmt.Sprintf(" WHERE (class, -rank, video_id) > ($%d, $%d, $%d)", n+1, n+2, n+3)

		args = append(args, from.Class, -from.AtMs, from.ID)
	}

	query += fmt.Sprintf(" ORDER BY class, -rank, video_id LIMIT $%d", len(args)+1)

	var hits []hit

	err := svc.Store.Query(ctx, func(rows *stdsql.Rows) error {
		var h hit
		if err := rows.Scan(&h.videoID, &h.clipID, &h.class, &h.rank); err != nil {
			return err //nolint:wrapcheck // wrapped below
		}

		hits = append(hits, h)

		return nil
	}, query, append(args, size)...)
	if err != nil {
		return nil, fmt.Errorf("search videos: %w", err)
	}

	return hits, nil
}

func (svc *Service) countHits(ctx context.Context, s search) (int, error) {
	query, args := s.hitsQuery()

	var n int

	err := svc.Store.Query(ctx, func(rows *stdsql.Rows) error { return rows.Scan(&n) }, query+" SELECT count(*) FROM hits", args...)
	if err != nil {
		return 0, fmt.Errorf("count search results: %w", err)
	}

	return n, nil
}

// resultsOf reads the videos of hits with the selected fields, and the quotes.
func (svc *Service) resultsOf(ctx context.Context, s search, hits []hit, sel selection.Tree) ([]*model.SearchResult, error) {
	videos, spoken := make([]string, len(hits)), []string{}

	for i, h := range hits {
		videos[i] = h.videoID

		if h.clipID != "" {
			spoken = append(spoken, h.clipID)
		}
	}

	q := svc.Store.Client(ctx).Video.Query().Where(video.IDIn(videos...))
	svc.Listing.SelectVideo(s.who, q, sel.And(selection.Fields("name")))

	rows, err := q.All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read videos of search: %w", err)
	}

	quotes, err := svc.quotes(ctx, s, spoken)
	if err != nil {
		return nil, err
	}

	results := make([]*model.SearchResult, 0, len(hits))

	for _, h := range hits {
		i := slices.IndexFunc(rows, func(v *ent.Video) bool { return v.ID == h.videoID })
		if i < 0 {
			continue // it was deleted after the search
		}

		found := &model.SearchResult{Video: rows[i], MatchedIn: values.SearchInTitle, Snippet: rows[i].Name, Rank: h.rank}

		if h.clipID != "" {
			quote := quotes[h.clipID]
			found.MatchedIn, found.Snippet = values.SearchInTranscript, strings.Join(quote.words, " ")
			found.StartMs, found.EndMs = &quote.startMs, &quote.endMs
		}

		results = append(results, found)
	}

	return results, nil
}

// quote holds the words around the first match in a clip, and the time of the match in the video's playback time.
type quote struct {
	words          []string
	startMs, endMs int64
	matched        bool
}

// heardSQL selects the uncut words of a transcript d from one position up to another.
const heardSQL = `
	SELECT coalesce(nullif(u.corrected, ''), u.text) AS said, u.start_ms, u.end_ms, u.nth + %[1]s AS nth
	FROM unnest(d.texts[%[1]s + 1:%[2]s], d.corrected[%[1]s + 1:%[2]s], d.hidden[%[1]s + 1:%[2]s],
		d.starts[%[1]s + 1:%[2]s], d.ends[%[1]s + 1:%[2]s])
		WITH ORDINALITY u(text, corrected, hidden, start_ms, end_ms, nth)
	WHERE u.hidden IS NOT TRUE AND
		(CASE WHEN u.start_ms < u.end_ms THEN u.end_ms <= k.ends[width_bucket(u.start_ms, k.starts)]
		ELSE u.start_ms < k.ends[width_bucket(u.start_ms, k.starts)] END) IS NOT TRUE`

// quotesSQL reads, for each clip, the words around the first word that matches the query. It takes the first part of
// the clip's text that matches, and searches it in blocks of 256 words until a block matches. It then reads as many
// more blocks as the quote needs. Only the matching block is searched word by word.
var quotesSQL = `
SELECT p.clip_id, q.said, q.start_ms, q.end_ms, q.matches
FROM (SELECT replace(search_words($2)::text, ' & ', ' | ')::tsquery AS words OFFSET 0) asked
CROSS JOIN LATERAL (
	SELECT DISTINCT ON (t.clip_id) t.clip_id, coalesce(t.first_word, 0)::int AS first_word,
		coalesce(t.end_word, 2147483646)::int AS end_word
	FROM clip_texts t WHERE t.clip_id = ANY($1) AND t.document @@ asked.words ORDER BY t.clip_id, t.part
) p
JOIN clips c ON c.id = p.clip_id JOIN transcripts t ON t.clip_id = p.clip_id
CROSS JOIN LATERAL (SELECT cut_starts(c.cuts) AS starts, cut_ends(c.cuts) AS ends OFFSET 0) k
CROSS JOIN LATERAL ( -- read once, not for each block
	SELECT t.texts || '{}' AS texts, t.corrected || '{}' AS corrected, t.hidden || '{}' AS hidden,
		t.starts || '{}' AS starts, t.ends || '{}' AS ends
	OFFSET 0
) d
CROSS JOIN LATERAL (
	WITH RECURSIVE look(block, words, found, behind) AS (
		SELECT p.first_word - 256, 1, false, 0 -- what is before the part is shown and not looked at
		UNION ALL
		SELECT l.block + 256, b.words, l.found OR b.matches, CASE WHEN l.found THEN l.behind + b.words ELSE 0 END
		FROM look l CROSS JOIN LATERAL (
			SELECT count(*)::int AS words, NOT l.found AND
				coalesce(to_tsvector('simple', search_fold_words(string_agg(left(h.said, 200), ' '))) @@ asked.words, false) AS matches
			FROM (` + fmt.Sprintf(heardSQL, "(l.block + 256)", "(l.block + 512)") + `) h
		) b
		WHERE l.block + 256 < cardinality(d.texts) AND CASE WHEN l.found THEN l.behind < $4 ELSE l.block + 256 < p.end_word END
	),
	around AS (
		SELECT h.*, row_number() OVER (ORDER BY h.nth) AS place, b.found AND b.behind = 0 AS inside
		FROM (
			SELECT *, sum(CASE WHEN found THEN 0 ELSE words END) OVER (ORDER BY block DESC) - words AS nearer FROM look
		) b
		CROSS JOIN LATERAL (` + fmt.Sprintf(heardSQL, "greatest(b.block, 0)", "(b.block + 256)") + `) h
		WHERE b.found OR b.nearer < $3
	),
	first AS (
		SELECT min(place) AS place FROM around WHERE inside AND to_tsvector('simple', search_fold_words(left(said, 200))) @@ asked.words
	)
	SELECT a.*, to_tsvector('simple', search_fold_words(left(a.said, 200))) @@ asked.words AS matches
	FROM around a JOIN first f ON a.place BETWEEN f.place - $3 AND f.place + $4
) q
ORDER BY p.clip_id, q.place`

func (svc *Service) quotes(ctx context.Context, s search, clipIDs []string) (map[string]*quote, error) {
	quotes := map[string]*quote{}
	if len(clipIDs) == 0 {
		return quotes, nil
	}

	begins, err := svc.begins(ctx, clipIDs)
	if err != nil {
		return nil, err
	}

	for _, id := range clipIDs {
		quotes[id] = &quote{}
	}

	err = svc.Store.Query(ctx, func(rows *stdsql.Rows) error {
		var (
			id, word       string
			startMs, endMs int64
			matches        bool
		)

		if err := rows.Scan(&id, &word, &startMs, &endMs, &matches); err != nil {
			return err //nolint:wrapcheck // wrapped below
		}

		q, c := quotes[id], begins[id]
		q.words = append(q.words, word)

		if matches {
			if !q.matched {
				q.startMs, q.matched = c.beginMs+listing.ClockOf(c.clip).Play(startMs), true
			}

			q.endMs = c.beginMs + listing.ClockOf(c.clip).Play(endMs)
		}

		return nil
	}, quotesSQL, pq.Array(clipIDs), s.Query, wordsBefore, wordsBehind)
	if err != nil {
		return nil, fmt.Errorf("quote transcripts: %w", err)
	}

	return quotes, nil
}

// begun is a clip with its start in the playback time of its video.
type begun struct {
	clip    *ent.Clip
	beginMs int64
}

// begins reads clips together with all clips of their videos, from which their starts are computed.
func (svc *Service) begins(ctx context.Context, clipIDs []string) (map[string]begun, error) {
	rows, err := svc.Store.Client(ctx).Clip.Query().
		Where(clip.HasVideoWith(video.HasClipsWith(clip.IDIn(clipIDs...)))).
		Order(ent.Asc(clip.FieldVideoID, clip.FieldPosition, clip.FieldID)).All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read clips of search: %w", err)
	}

	all, playedMs := map[string]begun{}, map[string]int64{}

	for _, c := range rows {
		all[c.ID] = begun{c, playedMs[c.VideoID]}
		playedMs[c.VideoID] += c.DurationMs
	}

	return all, nil
}
