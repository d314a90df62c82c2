package upload

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"time"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/source"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
	"github.com/reelgraph/reelgraph/internal/platform/signedurl"
)

const (
	// uploadLease is how long an upload address stays valid after an accepted request.
	uploadLease = time.Hour

	// stallAfter is how long an upload may send nothing before it counts as broken.
	stallAfter = time.Minute
)

// upload receives the bytes of a source in one request. Nothing of it is visible until all bytes are stored. Then the
// source is processed, even if the client has left. If several uploads run at once, the first to finish wins.
func (s *Server) upload(w http.ResponseWriter, r *http.Request) error {
	ctx := auth.AsSystem(r.Context())

	src, key, err := s.accept(ctx, r)
	if err != nil {
		return err
	}

	leave, err := s.arriving.enter(src.ID)
	if err != nil {
		return err
	}
	defer leave()

	arrived, err := s.receive(ctx, w, r, src, key)
	if err != nil {
		return errors.Join(err, s.Intake.Release(ctx, src))
	}

	if err := s.complete(ctx, src, arrived); err != nil {
		return err
	}

	if err := s.awaitProbe(ctx, src.ID); err != nil {
		return err
	}

	return s.describe(w, r, src)
}

// accept checks a PUT before its body is read. It extends the expiry of the address and returns the key for the body.
func (s *Server) accept(ctx context.Context, r *http.Request) (src *ent.Source, key string, err error) {
	src, err = s.named(ctx, r)

	switch {
	case err != nil:
		return nil, "", err
	case r.ContentLength > s.UploadMax:
		return nil, "", TooLarge(s.UploadMax)
	case src.Partial:
		return nil, "", fault.BadRequest("Send a part of an upload with PATCH.")
	case r.Header.Get("Content-Range") != "":
		return nil, "", fault.BadRequest("A PUT must send all bytes of the source: Content-Range is not supported. " +
			"Use tus to send it in pieces.")
	}

	if key, err = blob.NewKey("sources", ""); err != nil {
		return nil, "", err
	}

	if err := s.Blobs.Room(max(1, r.ContentLength)); err != nil {
		return nil, "", fmt.Errorf("check free disk space: %w", err)
	}

	return src, key, s.Store.InTx(auth.AsWorkspace(ctx, src.WorkspaceID), func(ctx context.Context) error {
		err := s.Intake.Expect(ctx, src, key, func(u *ent.SourceUpdate) { u.SetUploadExpiresAt(s.Clock().Add(uploadLease)) })
		if err != nil || r.ContentLength < 0 {
			return err
		}

		return s.Intake.ReserveAll(ctx, src, r.ContentLength)
	})
}

// named returns the source for which the address was signed. The address stays valid for an hour after the last
// accepted request, whenever it was signed.
func (s *Server) named(ctx context.Context, r *http.Request) (*ent.Source, error) {
	now := s.Clock()
	signature := s.Addresses.Check(signedurl.Upload, r.URL, now)

	if signature != nil && !errors.Is(signature, blob.ErrExpired) {
		return nil, refused(signature)
	}

	src, err := s.Store.Client(ctx).Source.Get(ctx, r.PathValue("id"))

	switch {
	case ent.IsNotFound(err), err == nil && src.JoinedID != "": // a part that now belongs to another source
		return nil, fault.NotFound("source")
	case err != nil:
		return nil, fmt.Errorf("read source: %w", err)
	case signature != nil && (src.UploadExpiresAt == nil || !now.Before(*src.UploadExpiresAt)):
		return nil, refused(signature)
	}

	return src, nil
}

// arrival is a stored, complete file that does not belong to a source yet.
type arrival struct {
	key    string
	bytes  int64
	sha256 string
}

// receive stores the whole body of a request under a key, or nothing.
func (s *Server) receive(
	ctx context.Context, w http.ResponseWriter, r *http.Request, src *ent.Source, key string,
) (arrival, error) {
	control := http.NewResponseController(w)
	sum := sha256.New()
	in := &inflow{body: http.MaxBytesReader(w, r.Body, s.UploadMax), control: control}

	body := io.Reader(in)
	if r.ContentLength < 0 {
		body = s.Intake.Within(ctx, src, 0, in)
	}

	stat, err := s.Blobs.Put(ctx, key, io.TeeReader(body, sum))
	_ = control.SetReadDeadline(time.Time{})

	var (
		over    *http.MaxBytesError
		refused *middleware.RefusalError
	)

	switch {
	case err == nil:
		return arrival{key: key, bytes: stat.Size, sha256: hex.EncodeToString(sum.Sum(nil))}, nil
	case errors.As(in.err, &over):
		return arrival{}, TooLarge(s.UploadMax)
	case errors.As(err, &refused):
		return arrival{}, refused
	case in.err != nil:
		return arrival{}, fault.BadRequest("The upload was interrupted and nothing was stored. Send it again.").Because(in.err)
	default:
		return arrival{}, fmt.Errorf("store upload: %w", err)
	}
}

// inflow is a body that must keep sending. It remembers its own read errors, to distinguish them from errors of the
// writer.
type inflow struct {
	body    io.Reader
	control *http.ResponseController
	err     error
}

// Read implements io.Reader.
func (i *inflow) Read(b []byte) (int, error) {
	_ = i.control.SetReadDeadline(time.Now().Add(stallAfter)) // not every server supports deadlines

	n, err := i.body.Read(b)
	if err != nil && !errors.Is(err, io.EOF) {
		i.err = err
	}

	return n, err
}

// complete makes the file that of the source. It deletes the file of an upload that lost or failed.
func (s *Server) complete(ctx context.Context, src *ent.Source, a arrival) error {
	err := s.Intake.Complete(ctx, src, func(u *ent.SourceUpdate) {
		u.SetBlobKey(a.key).SetBytes(a.bytes).SetSha256(a.sha256).
			SetUploadOffset(a.bytes).SetUploadLength(a.bytes).ClearUploadExpiresAt()
	})
	if err == nil {
		return nil
	}

	return s.abandon(context.WithoutCancel(ctx), src, a, err)
}

// abandon deletes a file that did not become the source's. If the result of the commit is unknown, the source is read
// first. The file is kept if that read fails.
func (s *Server) abandon(ctx context.Context, src *ent.Source, a arrival, cause error) error {
	now, err := s.Store.Client(ctx).Source.Get(ctx, src.ID)

	switch {
	case err == nil && now.BlobKey == a.key:
		return nil
	case err != nil && !ent.IsNotFound(err):
		return errors.Join(cause, err)
	}

	if err := s.Blobs.Delete(ctx, a.key); err != nil {
		s.Log.ErrorContext(ctx, "removing rejected upload failed",
			slog.String("source", src.ID), slog.String("blob", a.key), slog.Any("error", err))
	}

	return cause
}

// awaitProbe returns when the source is no longer being processed, or when that takes too long.
func (s *Server) awaitProbe(ctx context.Context, id string) error {
	_, err := s.Intake.Await(ctx, id, func(ctx context.Context) (*ent.Source, error) {
		return s.Store.Client(ctx).Source.Query().Where(source.ID(id)).Select(source.FieldStatus).Only(ctx)
	})
	if err != nil {
		return fmt.Errorf("wait for probe: %w", err)
	}

	return nil
}

// describe writes the source as its owner sees it.
func (s *Server) describe(w http.ResponseWriter, r *http.Request, src *ent.Source) error {
	owner := auth.Viewer{WorkspaceID: src.WorkspaceID, Role: auth.RoleMember}
	if src.UserID != nil {
		owner.UserID = *src.UserID
	}

	body, err := s.Describe(auth.With(r.Context(), owner), src.ID)
	if err != nil {
		return fmt.Errorf("describe source: %w", err)
	}

	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Type", "application/json")

	_, err = w.Write(body)
	if err != nil {
		s.Log.DebugContext(r.Context(), "writing upload response failed", slog.String("source", src.ID), slog.Any("error", err))
	}

	return nil
}
