package transfer

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strconv"
	"time"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/internal/auth"
	"github.com/reelgraph/reelgraph/internal/blob"
	"github.com/reelgraph/reelgraph/internal/chain"
	"github.com/reelgraph/reelgraph/internal/domain"
	"github.com/reelgraph/reelgraph/internal/fault"
	"github.com/reelgraph/reelgraph/internal/store"
)

// The headers and the one version of tus, the protocol of resumable uploads. A source is created
// through the API, with a length that a PATCH says later or never.
const (
	tusVersion    = "1.0.0"
	tusExtensions = "creation-defer-length,expiration"
	tusPiece      = "application/offset+octet-stream"

	tusResumable    = "Tus-Resumable"
	tusOffset       = "Upload-Offset"
	tusLength       = "Upload-Length"
	tusDeferLength  = "Upload-Defer-Length"
	tusExpires      = "Upload-Expires"
	tusOverride     = "X-Http-Method-Override"
	tusVersions     = "Tus-Version"
	tusMaxSize      = "Tus-Max-Size"
	tusExtensionSet = "Tus-Extension"
)

// overridden lets a client that has no PATCH send it as a POST, as tus asks.
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

	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set(tusResumable, tusVersion)

	if r.Method == http.MethodOptions {
		h.Set(tusVersions, tusVersion)
		h.Set(tusExtensionSet, tusExtensions)
		h.Set(tusMaxSize, strconv.FormatInt(s.UploadMax, 10))
		w.WriteHeader(http.StatusNoContent)

		return nil
	}

	if version := r.Header.Get(tusResumable); version != tusVersion {
		h.Set(tusVersions, tusVersion)

		return chain.NewRefusal(http.StatusPreconditionFailed, tusResumable+" must be "+tusVersion+".")
	}

	if r.Method == http.MethodHead {
		return s.progress(w, r)
	}

	return s.piece(w, r)
}

// progress says how far an upload is. What it says is truly there: it is measured, and made to last.
func (s *Server) progress(w http.ResponseWriter, r *http.Request) error {
	ctx := auth.AsSystem(r.Context())

	src, err := s.named(ctx, r)
	if err != nil {
		return err
	}

	if incomplete(src) {
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

	return s.answerOffset(w, src, http.StatusOK)
}

func incomplete(src *ent.Source) bool {
	return src.Status == domain.SourceStatusPending || src.Status == domain.SourceStatusUploading
}

// measured records how far an upload is, and how long it will be once somebody has said so, and completes one
// that has all its bytes, then answers for the source as it is. A PATCH whose server died after the last byte
// is made good here.
func (s *Server) measured(ctx context.Context, src *ent.Source, arrived int64, length *int64) (*ent.Source, error) {
	ctx = context.WithoutCancel(ctx)

	record := s.Intake.Change
	if arrived > src.UploadOffset {
		record = s.Intake.Grown
	}

	all := length != nil && arrived == *length

	if all {
		record = s.Intake.Complete
	}

	err := record(ctx, src, func(u *ent.SourceUpdate) {
		u.SetUploadOffset(arrived).SetUploadExpiresAt(s.Clock().Add(uploadLease)).SetNillableUploadLength(length)

		if all {
			u.SetBytes(arrived)
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

// answerOffset tells a tus client how far it is.
func (s *Server) answerOffset(w http.ResponseWriter, src *ent.Source, status int) error {
	h := w.Header()
	h.Set(tusOffset, strconv.FormatInt(src.UploadOffset, 10))

	if incomplete(src) && src.UploadExpiresAt != nil {
		h.Set(tusExpires, src.UploadExpiresAt.UTC().Format(http.TimeFormat))
	}

	w.WriteHeader(status)

	return nil
}

// piece takes the next bytes of an upload. They stay, however the request ends; the last of them are
// answered after the probe.
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

	if src, err = s.expect(ctx, src); err != nil {
		return err
	}

	arrived, broken := s.append(ctx, w, r, src, p)

	switch {
	case errors.Is(broken, blob.ErrOffset):
		return fault.Conflict("The upload is not at this offset. Ask with HEAD where it is.").Because(broken)
	case errors.Is(broken, blob.ErrUnavailable), errors.Is(broken, blob.ErrNoSpace):
		return broken // how far it is, the next HEAD finds out
	}

	now, err := s.measured(ctx, src, arrived, p.length)
	if err != nil {
		return errors.Join(broken, err)
	}

	if now.BlobKey != src.BlobKey { // a PUT was sooner
		s.removeLost(ctx, src)

		return fault.Conflict("The upload of this source is already complete.")
	}

	if broken != nil {
		return broken
	}

	if err := s.awaitProbe(ctx, src.ID); err != nil {
		return err
	}

	return s.answerOffset(w, now, http.StatusNoContent)
}

// removeLost lets go of pieces that did not become the source's file.
func (s *Server) removeLost(ctx context.Context, src *ent.Source) {
	if src.BlobKey == "" {
		return
	}

	if err := s.Blobs.Delete(context.WithoutCancel(ctx), src.BlobKey); err != nil {
		s.Log.ErrorContext(ctx, "remove an upload that was not taken",
			slog.String("source", src.ID), slog.String("blob", src.BlobKey), slog.Any("error", err))
	}
}

// piece is what a PATCH says of itself.
type piece struct {
	offset int64
	length *int64 // of the whole upload, once the client knows
	room   int64  // how many bytes the body may have
}

// readPiece reads the headers of a PATCH to a source.
func (s *Server) readPiece(r *http.Request, src *ent.Source) (piece, error) {
	if !incomplete(src) {
		return piece{}, fault.Conflict("The upload of this source is already complete.")
	}

	if r.Header.Get("Content-Type") != tusPiece {
		return piece{}, chain.NewRefusal(http.StatusUnsupportedMediaType, "The content type of a PATCH must be "+tusPiece+".")
	}

	offset, given, err := number(r, tusOffset)
	if err == nil && !given {
		err = fault.BadRequest(tusOffset + " is missing.")
	}

	if err != nil {
		return piece{}, err
	}

	p := piece{offset: offset, length: src.UploadLength}

	length, given, err := number(r, tusLength)

	switch {
	case err != nil:
		return piece{}, err
	case given && p.length != nil && *p.length != length:
		return piece{}, fault.BadRequest(fmt.Sprintf("%s was %d before, and does not change.", tusLength, *p.length))
	case given:
		p.length = &length
	}

	if given && length < offset {
		return piece{}, fault.BadRequest(fmt.Sprintf("%s is %d, less than has arrived.", tusLength, length))
	}

	most := s.UploadMax
	if p.length != nil {
		most = min(most, *p.length)
	}

	if p.room = max(0, most-offset); r.ContentLength > p.room || p.length != nil && *p.length > s.UploadMax {
		return piece{}, s.tooLarge(most)
	}

	return p, nil
}

// number reads a header that is a whole number of bytes.
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

// expect makes a source ready for a piece, the first of which decides where all of them go. How long the upload
// will be is only believed of a piece that is accepted.
func (s *Server) expect(ctx context.Context, src *ent.Source) (*ent.Source, error) {
	ctx = auth.AsWorkspace(ctx, src.WorkspaceID)

	return store.Write(ctx, s.Store, func(ctx context.Context) (*ent.Source, error) {
		now, err := s.Store.Client(ctx).Source.Query().Where(source.ID(src.ID)).ForUpdate().Only(ctx)
		if ent.IsNotFound(err) {
			return nil, fault.NotFound("source")
		}

		if err != nil {
			return nil, fmt.Errorf("read source: %w", err)
		}

		if !incomplete(now) {
			return nil, fault.Conflict("The upload of this source is already complete.")
		}

		update := s.Store.Client(ctx).Source.UpdateOne(now).SetStatus(domain.SourceStatusUploading).
			SetUploadExpiresAt(s.Clock().Add(uploadLease))

		if now.BlobKey == "" {
			key, err := blob.NewKey("sources", "")
			if err != nil {
				return nil, err
			}

			update.SetBlobKey(key)
		}

		return update.Save(ctx)
	})
}

// append keeps the body of a PATCH, and returns how far the upload is, also when it broke off.
func (s *Server) append(ctx context.Context, w http.ResponseWriter, r *http.Request, src *ent.Source, p piece) (int64, error) {
	control := http.NewResponseController(w)
	in := &inflow{body: http.MaxBytesReader(w, r.Body, p.room), control: control}

	arrived, err := s.Blobs.Append(ctx, src.BlobKey, p.offset, in)
	_ = control.SetReadDeadline(time.Time{})

	var over *http.MaxBytesError

	switch {
	case err == nil:
		return arrived, nil
	case errors.Is(err, blob.ErrOffset), errors.Is(err, blob.ErrUnavailable), errors.Is(err, blob.ErrNoSpace):
		return arrived, fmt.Errorf("keep a piece of an upload: %w", err)
	case errors.As(in.err, &over):
		return arrived, s.tooLarge(p.offset + p.room)
	case in.err != nil:
		return arrived, fault.BadRequest("The upload broke off. Go on from where HEAD says it is.").Because(in.err)
	default:
		return arrived, fmt.Errorf("keep a piece of an upload: %w", err)
	}
}
