package upload

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// The headers and the version of tus, the protocol for resumable uploads. A source is created through the API or
// through tus. A PATCH may give the length later, or never.
const (
	tusVersion    = "1.0.0"
	tusExtensions = "creation,creation-with-upload,creation-defer-length,concatenation,expiration"
	tusPiece      = "application/offset+octet-stream"

	tusResumable    = "Tus-Resumable"
	tusOffset       = "Upload-Offset"
	tusLength       = "Upload-Length"
	tusDeferLength  = "Upload-Defer-Length"
	tusExpires      = "Upload-Expires"
	tusConcat       = "Upload-Concat"
	tusMetadata     = "Upload-Metadata"
	tusOverride     = "X-Http-Method-Override"
	tusVersions     = "Tus-Version"
	tusMaxSize      = "Tus-Max-Size"
	tusExtensionSet = "Tus-Extension"
)

// overridden lets a client that cannot send PATCH use POST, as tus requires.
func overridden(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		method := r.Header.Get(tusOverride)
		if r.Method == http.MethodPost && slices.Contains([]string{http.MethodHead, http.MethodPatch}, method) {
			r = r.Clone(r.Context())
			r.Method = method
		}

		next.ServeHTTP(w, r)
	})
}

// receiveAt serves the address of an upload: all bytes in one PUT, or piece by piece.
func (s *Server) receiveAt(w http.ResponseWriter, r *http.Request) error {
	if r.Method == http.MethodPut {
		return s.upload(w, r)
	}

	if done, err := s.greet(w, r, "PUT, HEAD, PATCH, OPTIONS"); done || err != nil {
		return err
	}

	if r.Method == http.MethodHead {
		return s.progress(w, r)
	}

	return s.piece(w, r)
}

// greet checks what every tus request must have. It also answers OPTIONS.
func (s *Server) greet(w http.ResponseWriter, r *http.Request, methods string) (done bool, err error) {
	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set(tusResumable, tusVersion)

	if r.Method == http.MethodOptions {
		h.Set("Allow", methods)
		h.Set(tusVersions, tusVersion)
		h.Set(tusExtensionSet, tusExtensions)
		h.Set(tusMaxSize, strconv.FormatInt(s.UploadMax, 10))
		w.WriteHeader(http.StatusNoContent)

		return true, nil
	}

	if version := r.Header.Get(tusResumable); version != tusVersion {
		h.Set(tusVersions, tusVersion)

		return false, middleware.NewRefusal(http.StatusPreconditionFailed, tusResumable+" must be "+tusVersion+".")
	}

	return false, nil
}

// progress reports the offset of an upload. It measures the stored bytes and makes them durable first.
func (s *Server) progress(w http.ResponseWriter, r *http.Request) error {
	ctx := auth.AsSystem(r.Context())

	src, err := s.named(ctx, r)
	if err != nil {
		return err
	}

	if Incomplete(src) {
		arrived, err := s.Intake.Arrived(ctx, src)
		if err != nil {
			return err
		}

		if src, err = s.measured(ctx, src, arrived, src.UploadLength); err != nil {
			return err
		}
	}

	h := w.Header()

	if src.UploadLength != nil {
		h.Set(tusLength, strconv.FormatInt(*src.UploadLength, 10))
	} else {
		h.Set(tusDeferLength, "1")
	}

	switch {
	case src.Partial:
		h.Set(tusConcat, concatPartial)
	case len(src.Parts) > 0:
		names := make([]string, len(src.Parts))
		for i, part := range src.Parts {
			names[i] = "/uploads/" + part.ID
		}

		h.Set(tusConcat, concatFinal+strings.Join(names, " "))
	}

	return s.answerOffset(w, src, http.StatusOK)
}

// measured stores the offset of an upload, and its length once known. It completes an upload that has all its bytes and
// returns the present source. This also completes an upload whose server died after the last byte.
func (s *Server) measured(ctx context.Context, src *ent.Source, arrived int64, length *int64) (*ent.Source, error) {
	ctx = context.WithoutCancel(ctx)

	record := s.Intake.Change
	if arrived > src.UploadOffset {
		record = s.Intake.Grown
	}

	all := length != nil && arrived == *length && !src.Partial

	if all {
		record = s.Intake.Complete

		if err := s.begun(ctx, &src); err != nil {
			return nil, err
		}
	}

	err := record(ctx, src, func(u *ent.SourceUpdate) {
		u.SetUploadOffset(arrived).SetUploadExpiresAt(s.Clock().Add(uploadLease)).SetNillableUploadLength(length)

		switch {
		case all:
			u.SetBytes(arrived)
		case length != nil:
			u.SetReservedBytes(*length)
		default: // the rest of the reservation is given back
			u.SetReservedBytes(0)
		}

		if arrived > src.UploadOffset {
			u.SetArrivedAt(s.Clock())
		}
	})
	if f, ok := fault.As(err); err != nil && (!ok || f.Code != fault.ConflictCode) {
		return nil, err
	}

	now, err := s.Store.Client(ctx).Source.Get(ctx, src.ID)
	if err != nil {
		return nil, fmt.Errorf("read source: %w", err)
	}

	return now, nil
}

// begun creates the file of an empty upload, which is complete from the start.
func (s *Server) begun(ctx context.Context, src **ent.Source) (err error) {
	if GrowsAt(*src) != "" {
		return nil
	}

	if *src, err = s.expect(ctx, *src, piece{}); err != nil {
		return err
	}

	if _, err := s.Blobs.Append(ctx, GrowsAt(*src), 0, http.NoBody); err != nil {
		return fmt.Errorf("store empty upload: %w", err)
	}

	return nil
}

// answerOffset sends the present offset to a tus client.
func (s *Server) answerOffset(w http.ResponseWriter, src *ent.Source, status int) error {
	h := w.Header()
	h.Set(tusOffset, strconv.FormatInt(src.UploadOffset, 10))

	if Incomplete(src) && src.UploadExpiresAt != nil {
		h.Set(tusExpires, src.UploadExpiresAt.UTC().Format(http.TimeFormat))
	}

	w.WriteHeader(status)

	return nil
}

// piece stores the next bytes of an upload. Stored bytes stay, however the request ends. The last piece is answered
// after the probe.
func (s *Server) piece(w http.ResponseWriter, r *http.Request) error {
	ctx := auth.AsSystem(r.Context())

	src, err := s.named(ctx, r)
	if err != nil {
		return err
	}

	p, err := s.readPiece(r, src)
	if err != nil {
		return err
	}

	now, err := s.take(ctx, w, r, src, p)
	if err != nil {
		return err
	}

	return s.answerOffset(w, now, http.StatusNoContent)
}

// take stores the body of a request as the next bytes of a source and returns the source as it is then. After the last
// bytes it waits for the probe.
func (s *Server) take(ctx context.Context, w http.ResponseWriter, r *http.Request, src *ent.Source, p piece) (*ent.Source, error) {
	src, err := s.ready(ctx, src, p)
	if err != nil {
		return nil, err
	}

	arrived, broken := s.append(ctx, w, r, src, p)

	switch {
	case errors.Is(broken, blob.ErrOffset):
		return nil, notThere().Because(broken)
	case errors.Is(broken, blob.ErrUnavailable), errors.Is(broken, blob.ErrNoSpace):
		return nil, broken // the next HEAD finds the offset
	}

	now, err := s.measured(ctx, src, arrived, p.length)
	if ent.IsNotFound(err) {
		s.removeLost(ctx, src)

		return nil, fault.NotFound("source").Because(broken)
	}

	if err != nil {
		return nil, errors.Join(broken, err)
	}

	if now.BlobKey != src.BlobKey && now.BlobKey != GrowsAt(src) { // a PUT finished first
		s.removeLost(ctx, src)

		return nil, fault.Conflict("The upload of this source is already complete.")
	}

	if broken != nil {
		return nil, broken
	}

	return now, s.awaitProbe(ctx, src.ID)
}

func notThere() *fault.Error {
	return fault.Conflict("The upload is at another offset. Send HEAD to get it.")
}

// ready prepares a source for a piece. It reopens an interrupted recording exactly where it ended.
func (s *Server) ready(ctx context.Context, src *ent.Source, p piece) (*ent.Source, error) {
	if s.Intake.Interrupted(src) {
		if p.offset != src.Bytes {
			return nil, notThere()
		}

		if err := s.awaitProbe(ctx, src.ID); err != nil { // of the bytes before the interruption
			return nil, err
		}
	}

	src, err := s.expect(ctx, src, p)
	if err != nil {
		return nil, err
	}

	return src, s.Intake.Resume(ctx, src)
}

// removeLost deletes pieces that did not become the source's file.
func (s *Server) removeLost(ctx context.Context, src *ent.Source) {
	key := GrowsAt(src)
	if key == "" {
		return
	}

	if err := s.Blobs.Delete(context.WithoutCancel(ctx), key); err != nil {
		s.Log.ErrorContext(ctx, "removing rejected upload failed",
			slog.String("source", src.ID), slog.String("blob", key), slog.Any("error", err))
	}
}

// piece holds what the headers of a PATCH say.
type piece struct {
	offset int64
	length *int64 // the length of the whole upload, once the client knows it
	room   int64  // the maximum number of bytes of the body
	bytes  int64  // the number of bytes of the body; -1 if unknown
}

// readPiece parses the headers of a PATCH to a source.
func (s *Server) readPiece(r *http.Request, src *ent.Source) (piece, error) {
	if !s.Intake.Open(src) {
		return piece{}, fault.Conflict("The upload of this source is already complete.")
	}

	if r.Header.Get("Content-Type") != tusPiece {
		return piece{}, middleware.NewRefusal(http.StatusUnsupportedMediaType, "The content type of a PATCH must be "+tusPiece+".")
	}

	offset, given, err := number(r, tusOffset)
	if err == nil && !given {
		err = fault.BadRequest(tusOffset + " is missing.")
	}

	if err != nil {
		return piece{}, err
	}

	p := piece{offset: offset, length: src.UploadLength, bytes: r.ContentLength}

	length, given, err := number(r, tusLength)

	switch {
	case err != nil:
		return piece{}, err
	case given && p.length != nil && *p.length != length:
		return piece{}, fault.BadRequest(fmt.Sprintf("%s was %d before and cannot change.", tusLength, *p.length))
	case given:
		p.length = &length
	}

	if given && length < offset {
		return piece{}, fault.BadRequest(fmt.Sprintf("%s is %d, which is less than what was already uploaded.", tusLength, length))
	}

	if err := s.bound(&p); err != nil {
		return piece{}, err
	}

	return p, nil
}

// bound sets the maximum number of bytes of a piece and refuses a larger one.
func (s *Server) bound(p *piece) error {
	most := s.UploadMax
	if p.length != nil {
		most = min(most, *p.length)
	}

	if p.room = max(0, most-p.offset); p.bytes > p.room || p.length != nil && *p.length > s.UploadMax {
		return TooLarge(most)
	}

	return nil
}

// number parses a header that must be a whole number of bytes.
func number(r *http.Request, name string) (n int64, given bool, err error) {
	value := r.Header.Get(name)
	if value == "" {
		return 0, false, nil
	}

	n, err = strconv.ParseInt(value, 10, 64)
	if err != nil || n < 0 {
		return 0, false, fault.BadRequest(name + " must be a whole number of bytes.")
	}

	return n, true, nil
}

// expect prepares a source for a piece. The first piece decides where all pieces are stored. The announced length is
// stored only with an accepted piece. The workspace must have room for the announced bytes.
func (s *Server) expect(ctx context.Context, src *ent.Source, p piece) (*ent.Source, error) {
	ctx = auth.AsWorkspace(ctx, src.WorkspaceID)

	return store.Write(ctx, s.Store, nil, func(ctx context.Context) (*ent.Source, error) {
		now, err := s.Store.Client(ctx).Source.Query().Where(source.ID(src.ID)).ForUpdate().Only(ctx)

		switch {
		case ent.IsNotFound(err):
			return nil, fault.NotFound("source")
		case err != nil:
			return nil, fmt.Errorf("read source: %w", err)
		case now.Status == values.SourceStatusProcessing && s.Intake.Interrupted(now):
			late := fault.Conflict("The part of this recording that was already uploaded is still being processed.")
			late.RetryAfter = time.Second

			return nil, late
		case !s.Intake.Open(now):
			return nil, fault.Conflict("The upload of this source is already complete.")
		}

		update := s.Store.Client(ctx).Source.UpdateOne(now).SetStatus(values.SourceStatusUploading).
			SetUploadExpiresAt(s.Clock().Add(uploadLease))

		if err := s.Intake.Reopened(now, update); err != nil {
			return nil, err
		}

		if now.BlobKey == "" {
			key, err := blob.NewKey("sources", "")
			if err != nil {
				return nil, err
			}

			update.SetBlobKey(key)
		}

		saved, err := update.Save(ctx)
		if err != nil {
			return nil, fmt.Errorf("update source: %w", err)
		}

		return saved, s.reserve(ctx, saved, p)
	})
}

// reserve reserves room for the whole upload if its length is known, or else for the piece.
func (s *Server) reserve(ctx context.Context, src *ent.Source, p piece) error {
	switch {
	case p.length != nil:
		return s.Intake.ReserveAll(ctx, src, *p.length)
	case p.bytes > 0:
		return s.Intake.ReserveAll(ctx, src, p.offset+p.bytes)
	default:
		return nil
	}
}

// append stores the body of a PATCH and returns the new offset, even if the body broke off.
func (s *Server) append(ctx context.Context, w http.ResponseWriter, r *http.Request, src *ent.Source, p piece) (int64, error) {
	control := http.NewResponseController(w)
	in := &inflow{body: http.MaxBytesReader(w, r.Body, p.room), control: control}

	body := io.Reader(in)
	if p.length == nil && p.bytes < 0 {
		body = s.Intake.Within(ctx, src, p.offset, in)
	}

	arrived, err := s.Blobs.Append(ctx, GrowsAt(src), p.offset, body)
	_ = control.SetReadDeadline(time.Time{})

	var (
		over    *http.MaxBytesError
		refused *middleware.RefusalError
	)

	switch {
	case err == nil:
		return arrived, nil
	case errors.Is(err, blob.ErrOffset), errors.Is(err, blob.ErrUnavailable), errors.Is(err, blob.ErrNoSpace):
		return arrived, fmt.Errorf("store upload piece: %w", err)
	case errors.As(in.err, &over):
		return arrived, TooLarge(p.offset + p.room)
	case errors.As(err, &refused):
		return arrived, refused
	case in.err != nil:
		return arrived, fault.BadRequest("The upload was interrupted. Send HEAD to get the offset and continue there.").Because(in.err)
	default:
		return arrived, fmt.Errorf("store upload piece: %w", err)
	}
}
