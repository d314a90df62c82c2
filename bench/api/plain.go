package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/lib/pq"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/keyring"
	"github.com/reelgraph/reelgraph/internal/platform/signedurl"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// plainOptions configure the handler written by hand.
type plainOptions struct {
	DSN     string      `json:"dsn"`
	Addr    string      `json:"addr"`
	BaseURL string      `json:"baseUrl"`
	Probe   identities  `json:"probe"`
	List    []statement `json:"list"`   // statements of the product for the list of videos, in order
	Detail  []statement `json:"detail"` // the same for one video, that of Probe
}

// identities are the ids in recorded arguments that depend on the caller and the requested video.
type identities struct {
	User      string `json:"user"`
	Workspace string `json:"workspace"`
	Video     string `json:"video"`
}

// clip returns the id of the video's only clip, which the bench gives the same number.
func (i identities) clip() string { return "cl_" + strings.TrimPrefix(i.Video, "vid_") }

// pool is the number of database connections of each server.
const pool = 16

// plain serves the API's two reads as one would write them by hand: net/http, lib/pq with prepared statements, structs
// encoded by encoding/json. It executes the product's own statements and returns the same JSON. From the product it
// only uses the code that makes signatures.
type plain struct {
	admit  *sql.Stmt
	counts []any // arguments of admit after the key and the address
	list   []*query
	detail []*query
	one    *sql.Stmt // see answerBySQL
	nested *sql.Stmt // see answerBySQL
	book   signedurl.Book
	cursor keyring.Box
	probe  identities
}

// servePlain serves until the context ends.
func servePlain(ctx context.Context, o plainOptions) (err error) {
	connector, err := pq.NewConnector(o.DSN)
	if err != nil {
		return fmt.Errorf("read the address of postgres: %w", err)
	}

	db := sql.OpenDB(connector)
	defer func() { err = errors.Join(err, db.Close()) }()

	db.SetMaxOpenConns(pool)
	db.SetMaxIdleConns(pool)

	p, err := newPlain(ctx, db, o)
	if err != nil {
		return err
	}

	mux := http.NewServeMux()
	mux.HandleFunc("GET /v1/videos", p.gated(p.videos))
	mux.HandleFunc("GET /v1/videos/{id}", p.gated(p.video))
	mux.HandleFunc("POST /graphql", p.gated(p.answerBySQL))
	mux.HandleFunc("GET /open/v1/videos", p.open(p.videos))
	mux.HandleFunc("GET /open/v1/videos/{id}", p.open(p.video))

	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", o.Addr)
	if err != nil {
		return fmt.Errorf("listen: %w", err)
	}

	server := &http.Server{Handler: mux, ReadHeaderTimeout: time.Minute}

	defer context.AfterFunc(ctx, func() { _ = server.Close() })()

	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serve: %w", err)
	}

	return nil
}

func newPlain(ctx context.Context, db *sql.DB, o plainOptions) (*plain, error) {
	secret := bytes.Repeat([]byte("s"), 32)

	signer, err := blob.NewSigner(secret, nil)
	if err != nil {
		return nil, fmt.Errorf("make a signer: %w", err)
	}

	p := &plain{book: signedurl.Book{BaseURL: o.BaseURL, Signer: signer}, probe: o.Probe}

	if p.cursor, err = keyring.NewBox("cursor", secret); err != nil {
		return nil, fmt.Errorf("make a box: %w", err)
	}

	// The gate's statement is the first of every request, with its own arguments.
	if len(o.List) == 0 || len(o.Detail) == 0 || !strings.Contains(o.List[0].Text, "rate_windows") || len(o.List[0].Args) < 2 {
		return nil, errors.New("unexpected statements of the product: the first is not the gate's")
	}

	for _, arg := range o.List[0].Args[2:] {
		p.counts = append(p.counts, arg)
	}

	if p.admit, err = db.PrepareContext(ctx, o.List[0].Text); err != nil {
		return nil, fmt.Errorf("prepare: %w", err)
	}

	if p.list, err = prepare(ctx, db, o.List[1:], o.Probe); err != nil {
		return nil, err
	}

	if p.detail, err = prepare(ctx, db, o.Detail[1:], o.Probe); err != nil {
		return nil, err
	}

	p.one, p.nested, err = prepareSQL(ctx, db)

	return p, err
}

type handler func(w http.ResponseWriter, r *http.Request, who identities) error

// gated looks up the key and counts the request, like the product.
func (p *plain) gated(next handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		who, status, err := p.admitted(r)
		if err == nil && status == http.StatusOK {
			err = next(w, r, who)
		}

		finish(w, status, err)
	}
}

// open serves all requests as the user for whom the statements were recorded.
func (p *plain) open(next handler) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) { finish(w, http.StatusOK, next(w, r, p.probe)) }
}

func finish(w http.ResponseWriter, status int, err error) {
	switch {
	case errors.Is(err, sql.ErrNoRows):
		http.Error(w, "not found", http.StatusNotFound)
	case err != nil:
		http.Error(w, err.Error(), http.StatusInternalServerError)
	case status != http.StatusOK:
		http.Error(w, http.StatusText(status), status)
	}
}

// quota is the largest quota that the product accepts.
const quota = 1_000_000

func (p *plain) admitted(r *http.Request) (identities, int, error) {
	key, found := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	if !found {
		return identities{}, http.StatusUnauthorized, nil
	}

	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		return identities{}, 0, fmt.Errorf("read the address of the client: %w", err)
	}

	var (
		who                        identities
		subject, keyID, role, plan string
		stale                      bool
		before, used, allowed      int
		minuteMs, nowMs            int64
		hash                       = auth.HashKey(key)
	)

	err = p.admit.QueryRowContext(r.Context(), append([]any{hash, "ip:" + host}, p.counts...)...).
		Scan(&subject, &keyID, &who.User, &who.Workspace, &role, &plan, &stale, &before, &used, &allowed, &minuteMs, &nowMs)

	switch {
	case err != nil:
		return identities{}, 0, fmt.Errorf("admit: %w", err)
	case who.User == "":
		return identities{}, http.StatusUnauthorized, nil
	case before >= used:
		return identities{}, http.StatusTooManyRequests, nil
	}

	return who, http.StatusOK, nil
}

func (p *plain) videos(w http.ResponseWriter, r *http.Request, who identities) error {
	limit, err := strconv.Atoi(r.URL.Query().Get("limit"))
	if err != nil || limit != 20 { // the limit in the recorded statement
		return fmt.Errorf("limit %q is not supported; use 20", r.URL.Query().Get("limit"))
	}

	var read rows
	if err := read.all(r.Context(), p.list, who); err != nil {
		return err
	}

	out := videosOut{Videos: make([]item, min(len(read.videos), limit))}
	for i := range out.Videos {
		out.Videos[i] = p.item(&read.videos[i])
	}

	if len(read.videos) > limit {
		last := &read.videos[limit-1]

		plainCursor, err := json.Marshal(cursor{1, time.Now().UnixMilli(), last.updatedAt.UnixMilli(), last.id, last.walk})
		if err != nil {
			return fmt.Errorf("write the cursor: %w", err)
		}

		next := base64.RawURLEncoding.EncodeToString(p.cursor.Seal(plainCursor, []byte("videos|"+who.Workspace+"|"+who.User+"||")))
		out.Pagination.HasMore, out.Pagination.NextCursor = true, &next
	}

	return write(w, out)
}

func (p *plain) video(w http.ResponseWriter, r *http.Request, who identities) error {
	who.Video = r.PathValue("id")

	var read rows
	if err := read.all(r.Context(), p.detail, who); err != nil {
		return err
	}

	if len(read.videos) == 0 {
		return sql.ErrNoRows
	}

	out, err := p.detailOf(&read)
	if err != nil {
		return err
	}

	return write(w, videoOut{out})
}

func write(w http.ResponseWriter, v any) error {
	var b bytes.Buffer

	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false)

	if err := encoder.Encode(v); err != nil {
		return fmt.Errorf("encode: %w", err)
	}

	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(b.Len()-1))
	_, _ = w.Write(b.Bytes()[:b.Len()-1]) // the client may be gone

	return nil
}

func (p *plain) item(v *videoRow) item {
	w, h := values.Dimensions{Width: v.width, Height: v.height}.AspectRatio()

	return item{
		ID: v.id, Name: v.name, Description: v.description, AspectRatio: strconv.Itoa(w) + ":" + strconv.Itoa(h),
		CreatedAt: datetime(v.createdAt), UpdatedAt: datetime(v.updatedAt), Views: v.views,
		Links: links{EmbedPage: p.book.EmbedPage(v.id), ViewPage: p.book.ViewPage(v.id)},
	}
}

func datetime(t time.Time) string { return t.UTC().Format("2006-01-02T15:04:05.000Z") }

func (p *plain) detailOf(read *rows) (detail, error) {
	v := &read.videos[0]
	size := values.Dimensions{Width: v.width, Height: v.height}
	out := detail{
		item: p.item(v), DurationSeconds: float64(v.durationMs) / 1000, PlaylistIDs: []string{}, Chapters: []chapter{},
		Exports: make([]export, len(read.exports)), Thumbnails: p.thumbnails(v), ClipIDs: make([]string, len(read.clips)),
		Dimensions: size, Revision: v.revision, Editing: editing{Visibility: v.visibility, Dimensions: size},
		Transcript: transcript{Sentences: []sentence{}, Status: "ready"},
	}

	if err := json.Unmarshal(v.settings, &out.Settings); err != nil {
		return detail{}, fmt.Errorf("read the settings: %w", err)
	}

	if err := json.Unmarshal(v.editing, &out.Editing.Editing); err != nil {
		return detail{}, fmt.Errorf("read the editing: %w", err)
	}

	for i := range read.clips { // each list has one row in this bench
		out.ClipIDs[i] = read.clips[i].id
		out.Transcript.Language = read.heard[i].language
	}

	for i := range read.chapters {
		c := &read.chapters[i]
		out.Chapters = append(out.Chapters, chapter{c.title, c.description, float64(c.atMs) / 1000})
	}

	for i := range read.memberships {
		out.PlaylistIDs = append(out.PlaylistIDs, read.memberships[i].playlist)
	}

	for i := range read.exports {
		out.Exports[i] = p.export(&read.exports[i])
	}

	return out, nil
}

func (p *plain) export(e *exportRow) export {
	return export{
		ExportID: e.id, Status: e.status, Progress: e.progress,
		DownloadURL: p.book.Download(e.id, time.Now().Add(24*time.Hour)),
		Granularity: e.granularity, Resolution: e.resolution, FPS: e.fps, Speed: e.speed, Subtitles: e.subtitles,
		Revision: e.revision, CreatedAt: datetime(e.createdAt), UpdatedAt: datetime(e.updatedAt),
	}
}

func (p *plain) thumbnails(v *videoRow) thumbnails {
	until := signedurl.Steady(time.Now(), time.Hour)
	version := strconv.FormatInt(v.revision, 10) + "-" + strconv.FormatInt(v.updatedAt.UnixMilli(), 36)
	of := func(size string) thumbnail {
		at := func(format string) string { return p.book.Still(v.id, version, size, format, until) }

		return thumbnail{at("gif"), at("jpg"), at("mp4"), at("webp")}
	}

	return thumbnails{of("large"), of("medium"), of("small"), of("xl")}
}
