package listing

import (
	"context"
	stdsql "database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/lib/pq"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/transcript"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/graph/selection"
	"github.com/reelgraph/reelgraph/internal/paging"
	"github.com/reelgraph/reelgraph/internal/platform/cursor"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/transcripts"
	"github.com/reelgraph/reelgraph/internal/video/timeline"
	"github.com/reelgraph/reelgraph/internal/video/values"
	"github.com/reelgraph/reelgraph/internal/video/words"
)

// wordsName returns the name under which a list of words was loaded with its clip.
func wordsName(size int, set model.WordSet) string { return ListName("words", size) + string(set) }

// setOf returns the word set that a list is limited to. The schema holds the default.
func setOf(node selection.Node) model.WordSet {
	set, _ := node.Text("of")

	return model.WordSet(set)
}

// readWhole is the page size from which on the whole transcript is read. For smaller pages the database cuts out the
// words.
const readWhole = 1000

// somePlaces are consecutive words of a clip, by position.
type somePlaces struct {
	places []int
	words  []transcripts.Word
	total  int  // how many words there are in all
	counts bool // whether total is known
}

// wordsSQL reads a limited number of words of each clip from a position on. Postgres unnests the select list only up to
// the limit. The SQL decides which words are cut in the same way as the clock.
const wordsSQL = `
SELECT t.clip_id, cardinality(t.texts), cardinality(k.starts) = 0, w.place, w.text, w.corrected, w.hidden, w.start_ms, w.end_ms
FROM transcripts t JOIN clips c ON c.id = t.clip_id
CROSS JOIN LATERAL (SELECT cut_starts(c.cuts) AS starts, cut_ends(c.cuts) AS ends OFFSET 0) k
LEFT JOIN LATERAL (
	SELECT place, text, corrected, hidden, start_ms, end_ms FROM (
		SELECT generate_series($2::int, least($3::int, cardinality(t.texts)) - 1) AS place, unnest(t.texts[$2::int + 1:$3::int]) AS text,
			unnest(t.corrected[$2::int + 1:$3::int]) AS corrected, unnest(t.hidden[$2::int + 1:$3::int]) AS hidden,
			unnest(t.starts[$2::int + 1:$3::int]) AS start_ms, unnest(t.ends[$2::int + 1:$3::int]) AS end_ms
	) s
	WHERE NOT $4 OR (CASE WHEN s.start_ms < s.end_ms THEN s.end_ms <= k.ends[width_bucket(s.start_ms, k.starts)]
			ELSE s.start_ms < k.ends[width_bucket(s.start_ms, k.starts)] END) IS NOT TRUE
	LIMIT $5
) w ON true
WHERE t.clip_id = ANY($1) AND c.transcript_status = 'ready' ORDER BY t.clip_id, w.place`

// countHeardSQL counts the words of clips that are not cut.
const countHeardSQL = `
SELECT t.clip_id, count(*) FROM transcripts t JOIN clips c ON c.id = t.clip_id
CROSS JOIN LATERAL (SELECT cut_starts(c.cuts) AS starts, cut_ends(c.cuts) AS ends OFFSET 0) k
CROSS JOIN LATERAL unnest(t.starts, t.ends) w(start_ms, end_ms)
WHERE t.clip_id = ANY($1) AND c.transcript_status = 'ready'
	AND (CASE WHEN w.start_ms < w.end_ms THEN w.end_ms <= k.ends[width_bucket(w.start_ms, k.starts)]
			ELSE w.start_ms < k.ends[width_bucket(w.start_ms, k.starts)] END) IS NOT TRUE
GROUP BY t.clip_id`

// places reads up to the given number of words of each clip from a position on, and one more.
func (svc Words) places(ctx context.Context, clips []string, set model.WordSet, from, size int) (map[string]*somePlaces, error) {
	onlyHeard, until := set == model.WordSetHeard, from+size+1
	if onlyHeard {
		until = 1<<31 - 1
	}

	found := map[string]*somePlaces{}

	err := svc.Store.Query(ctx, func(rows *stdsql.Rows) error {
		var (
			id              string
			total           int
			uncut           bool
			place           stdsql.NullInt64
			text, corrected stdsql.NullString
			hidden          stdsql.NullBool
			startMs, endMs  stdsql.NullInt64
		)

		if err := rows.Scan(&id, &total, &uncut, &place, &text, &corrected, &hidden, &startMs, &endMs); err != nil {
			return err //nolint:wrapcheck // wrapped below
		}

		some := found[id]
		if some == nil {
			some = &somePlaces{total: total, counts: uncut || !onlyHeard}
			found[id] = some
		}

		if place.Valid {
			some.places = append(some.places, int(place.Int64))
			some.words = append(some.words, transcripts.Word{
				Text: text.String, Corrected: corrected.String, Hidden: hidden.Bool, StartMs: startMs.Int64, EndMs: endMs.Int64,
			})
		}

		return nil
	}, wordsSQL, pq.Array(clips), from, until, onlyHeard, size+1)
	if err != nil {
		return nil, fmt.Errorf("read words: %w", err)
	}

	return found, nil
}

// wordsBelow reads the first page of a list of words for many clips.
func (svc Words) wordsBelow(list Asked) ReadBelow[*ent.Clip] {
	return func(ctx context.Context, above []*ent.Clip) error {
		set, size := setOf(list.Node), sizeOf(list.Node)
		if size >= readWhole {
			return nil // each clip is read on its own
		}

		found, err := svc.places(ctx, idsOf(above), set, 0, size)
		if err != nil {
			return err
		}

		if set == model.WordSetHeard && list.Tree.Has("totalCount") {
			if err := svc.countHeard(ctx, idsOf(above), found); err != nil {
				return err
			}
		}

		for _, c := range above {
			some := found[c.ID]
			if some == nil {
				some = &somePlaces{counts: true}
			}

			c.Extra.Lists = append(c.Extra.Lists, ent.List{Name: list.name(), Rows: some})
		}

		return nil
	}
}

// countHeard counts the words of clips that are not cut.
func (svc Words) countHeard(ctx context.Context, clips []string, found map[string]*somePlaces) error {
	for _, some := range found {
		some.total, some.counts = 0, true
	}

	err := svc.Store.Query(ctx, func(rows *stdsql.Rows) error {
		var (
			id    string
			total int
		)

		if err := rows.Scan(&id, &total); err != nil {
			return err //nolint:wrapcheck // wrapped below
		}

		if some := found[id]; some != nil {
			some.total = total
		}

		return nil
	}, countHeardSQL, pq.Array(clips))
	if err != nil {
		return fmt.Errorf("count words: %w", err)
	}

	return nil
}

// WordPage returns a page of a clip's words. It is empty until the transcript is ready.
func (svc Words) WordPage(ctx context.Context, c *ent.Clip, set model.WordSet, size int, after *string) (*model.WordConnection, error) {
	turn := svc.Paging.Turn("words|" + c.ID + "|" + string(set))

	if set == model.WordSetRecorded {
		if may, err := svc.Rights().MayReadUncut(ctx, c); err != nil || !may {
			return nil, cmpError(err, fault.Forbidden("You may read only the words that are not cut from this clip."))
		}
	}

	from := 0

	if after != nil {
		begin, err := turn.Open(ctx, *after)
		if err != nil {
			return nil, err
		}

		from = int(begin.AtMs) + 1
	}

	words, count, err := svc.someWords(ctx, c, set, from, size)
	if err != nil {
		return nil, err
	}

	if err := svc.hideCut(ctx, c, words); err != nil {
		return nil, err
	}

	return paging.PageOf(turn, words, size, func(w *model.Word) cursor.Cursor { return cursor.Cursor{AtMs: int64(w.Index)} }, count), nil
}

// someWords returns up to the given number of words of a clip from a position on, and one more.
func (svc Words) someWords(
	ctx context.Context, c *ent.Clip, set model.WordSet, from, size int,
) (words []*model.Word, count func(context.Context) (int, error), err error) {
	known := func(n int) func(context.Context) (int, error) {
		return func(context.Context) (int, error) { return n, nil }
	}

	switch {
	case c.TranscriptStatus != values.TranscriptStatusReady:
		return []*model.Word{}, known(0), nil
	case size >= readWhole:
		all, err := svc.WordsOf(ctx, c)
		if err != nil {
			return nil, nil, err
		}

		words, total := wordsFrom(ClockOf(c), all[c.ID], set, from, size)

		return words, known(total), nil
	}

	some, err := svc.placesOf(ctx, c, set, from, size)
	if err != nil {
		return nil, nil, err
	}

	count = known(some.total)
	if !some.counts {
		count = func(ctx context.Context) (int, error) {
			all := &somePlaces{} // copied, because aliases of the list are resolved at the same time
			err := svc.countHeard(ctx, []string{c.ID}, map[string]*somePlaces{c.ID: all})

			return all.total, err
		}
	}

	return WordsAnswered(ClockOf(c), some.places, some.words, set), count, nil
}

// cmpError returns the first error that is not nil.
func cmpError(err, otherwise error) error {
	if err != nil {
		return err
	}

	return otherwise
}

// placesOf returns words of a clip. They are read if they were not loaded with the clip.
func (svc Words) placesOf(ctx context.Context, c *ent.Clip, set model.WordSet, from, size int) (*somePlaces, error) {
	for _, list := range c.Extra.Lists {
		if some, are := list.Rows.(*somePlaces); are && from == 0 && list.Name == wordsName(size, set) {
			return some, nil
		}
	}

	if transcripts.Again(ctx, c.ID) {
		all, err := transcripts.Once(ctx, c.ID, func() (*ent.Transcript, error) {
			all, err := svc.WordsOf(ctx, c)

			return all[c.ID], err
		})
		if err != nil {
			return nil, err //nolint:wrapcheck // the error of WordsOf
		}

		return placesIn(ClockOf(c), all, set, from, size), nil
	}

	found, err := svc.places(ctx, []string{c.ID}, set, from, size)
	if err != nil {
		return nil, err
	}

	if some := found[c.ID]; some != nil {
		return some, nil
	}

	return &somePlaces{counts: true}, nil
}

// wordsFrom picks words from a whole transcript: up to the given number from a position on, one more, and the total.
// The words share one allocation, since there may be a hundred thousand.
func wordsFrom(clock timeline.Clock, all *ent.Transcript, set model.WordSet, from, size int) (words []*model.Word, total int) {
	room := make([]answered, 0, max(min(transcripts.Count(all)-from, size+1), 0))

	for i, w := range transcripts.All(all) {
		if set == model.WordSetHeard && isCut(clock, w) {
			continue
		}

		total++

		if i >= from && len(room) < cap(room) {
			room = append(room, answered{})
			room[len(room)-1].say(clock, i, w, set)
		}
	}

	words = make([]*model.Word, len(room))
	for i := range room {
		words[i] = &room[i].Word
	}

	return words, total
}

// answered is a word in the form of the API, with room for its times.
type answered struct {
	model.Word

	startMs, endMs int64
}

func (a *answered) say(clock timeline.Clock, place int, w transcripts.Word, set model.WordSet) {
	a.Word = model.Word{Index: place, Text: w.Said(), Hidden: w.Hidden, Cut: isCut(clock, w)}

	switch {
	case set == model.WordSetRecorded:
		a.startMs, a.endMs = w.StartMs, w.EndMs
	case !a.Cut:
		a.startMs, a.endMs = clock.Play(w.StartMs), clock.Play(w.EndMs)
	default:
		return
	}

	a.StartTimeMs, a.EndTimeMs = &a.startMs, &a.endMs
}

// WordsAnswered returns words in the format of the API. places holds the index of each word.
func WordsAnswered(clock timeline.Clock, places []int, words []transcripts.Word, set model.WordSet) []*model.Word {
	room, out := make([]answered, len(words)), make([]*model.Word, len(words))

	for i, w := range words {
		room[i].say(clock, places[i], w, set)
		out[i] = &room[i].Word
	}

	return out
}

// hideCut removes the texts of cut words unless the viewer may read everything that was recorded.
func (svc Words) hideCut(ctx context.Context, c *ent.Clip, words []*model.Word) error {
	if !slices.ContainsFunc(words, func(w *model.Word) bool { return w.Cut }) {
		return nil
	}

	may, err := svc.Rights().MayReadUncut(ctx, c)
	if err != nil || may {
		return err
	}

	for _, w := range words {
		if w.Cut {
			w.Text = ""
		}
	}

	return nil
}

// isCut reports whether the cuts remove the whole word.
func isCut(clock timeline.Clock, w transcripts.Word) bool {
	if w.StartMs == w.EndMs {
		return clock.Cutout(w.StartMs)
	}

	_, seen := clock.ToPlayback(values.Span{StartMs: w.StartMs, EndMs: w.EndMs})

	return !seen
}

// WordsOf returns all words of the clips, by clip id. It reads the words that were not loaded with the clips. The map
// may have no entry for a clip without words.
func (svc Words) WordsOf(ctx context.Context, clips ...*ent.Clip) (map[string]*ent.Transcript, error) {
	all, missing := map[string]*ent.Transcript{}, []string{}

	for _, c := range clips {
		row, err := c.Edges.TranscriptOrErr()
		if err != nil && !ent.IsNotFound(err) {
			missing = append(missing, c.ID)
		}

		all[c.ID] = row
	}

	if len(missing) == 0 {
		return all, nil
	}

	q := svc.Store.Client(ctx).Transcript.Query().Where(transcript.ClipIDIn(missing...))
	svc.countRead(q)

	rows, err := q.All(ctx)
	if err != nil {
		return nil, fmt.Errorf("read words: %w", err)
	}

	for _, row := range rows {
		all[row.ClipID] = row
	}

	return all, nil
}

// TranscriptOf returns the transcript of a video. The timestamps are in the playback time of the video. Corrections
// are applied. Hidden words and cut words are left out.
func (svc Words) TranscriptOf(ctx context.Context, v *ent.Video) (*model.Transcript, error) {
	clips, err := svc.ClipsOf(ctx, v)
	if err != nil {
		return nil, err
	}

	h := transcripts.Of(clips)
	out := &model.Transcript{Status: h.Status, Language: h.Language, Sentences: []*model.Sentence{}}

	sel := selection.Of(ctx)

	if h.Status != values.TranscriptStatusReady || len(sel.Nodes()) > 0 && !asksWords(sel) {
		return out, nil
	}

	rows, err := svc.WordsOf(ctx, clips...)
	if err != nil {
		return nil, err
	}

	var text []string

	out.Words = SpokenIn(clips, rows)

	for _, s := range words.Sentences(out.Words) {
		out.Sentences = append(out.Sentences, &model.Sentence{
			StartSeconds: model.Seconds(s.StartMs), EndSeconds: model.Seconds(s.EndMs), Text: s.Text,
		})
		text = append(text, s.Text)
	}

	out.Text = strings.Join(text, " ")

	return out, nil
}

// asksWords reports whether the selected fields of a transcript need its words.
func asksWords(transcript selection.Tree) bool {
	return transcript.Has("sentences") || transcript.Has("text") || transcript.Has("captions")
}

// SpokenIn returns the words that are neither hidden nor cut. Their timestamps are in the playback time of the video.
// The captions of all clips are numbered together, so that each number is unique.
func SpokenIn(clips []*ent.Clip, all map[string]*ent.Transcript) []words.Word {
	var (
		spoken       []words.Word
		beginMs      int64
		before, cues int
	)

	for _, c := range clips {
		clock := ClockOf(c)
		spoken = slices.Grow(spoken, transcripts.Count(all[c.ID]))

		for _, said := range transcripts.All(all[c.ID]) {
			if !said.Hidden && !isCut(clock, said) {
				w := words.Word{Text: said.Said(), StartMs: beginMs + clock.Play(said.StartMs), EndMs: beginMs + clock.Play(said.EndMs)}
				if said.Cue > 0 {
					w.Cue = before + said.Cue
					cues = max(cues, w.Cue)
				}

				spoken = append(spoken, w)
			}
		}

		before = cues
		beginMs += c.DurationMs
	}

	return spoken
}
