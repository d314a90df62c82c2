package upload

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"path"
	"time"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/outbound"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

const (
	// fetchedBytes is the maximum size of a fetched picture. fetchedWithin is how long its server may take.
	fetchedBytes  = 10 << 20
	fetchedWithin = 10 * time.Second
)

// unfetched says why no picture could be fetched, in words for the caller.
type unfetched struct{ why string }

func (u *unfetched) Error() string { return u.why }

// FetchPicture creates a ready source of the workspace from the picture at an address. Call it before anything is
// written, because it waits for another server and for the probe. The source is deleted if the request does not
// commit.
func (svc *Service) FetchPicture(ctx context.Context, address, at string) (*ent.Source, error) {
	if svc.Store.Writing(ctx) {
		return nil, fault.BadRequest("The picture at " + at + " must be fetched first: send this edit in its own request.")
	}

	put, err := svc.fetch(ctx, address)
	if wrong, is := errors.AsType[*unfetched](err); is {
		return nil, fault.Invalid([]fault.Field{{Path: at, Rule: "must be the address of a picture: " + wrong.why}})
	}

	if err != nil {
		return nil, err
	}

	made, err := svc.keepFetched(ctx, put, pictureName(address))
	if err != nil {
		return nil, err
	}

	found, err := svc.Intake().Await(ctx, made.ID, func(ctx context.Context) (*ent.Source, error) {
		return svc.Store.Client(ctx).Source.Get(ctx, made.ID)
	})
	if err != nil {
		return nil, fmt.Errorf("read source: %w", err)
	}

	return found, UsableState(found, at)
}

// keepFetched creates a source from the fetched file and has it probed, in its own transaction.
func (svc *Service) keepFetched(ctx context.Context, put File, name string) (made *ent.Source, err error) {
	apart := context.WithoutCancel(svc.Store.Apart(ctx))

	err = svc.Store.InTx(apart, func(ctx context.Context) error {
		made, err = svc.Store.Client(ctx).Source.Create().SetStatus(values.SourceStatusProcessing).
			SetKind(values.SourceKindImage).SetName(name).SetBytes(put.bytes).SetUploadOffset(put.bytes).
			SetBlobKey(put.key).SetSha256(put.sha256).Save(ctx)
		if err != nil {
			return fmt.Errorf("create source: %w", err)
		}

		return svc.Jobs.Add(ctx, jobs.Probe{SourceID: made.ID})
	})
	if err != nil {
		return nil, errors.Join(err, svc.Blobs.Delete(apart, put.key))
	}

	who, _ := auth.From(ctx)

	return made, svc.Store.OnRollback(ctx, func() {
		_ = svc.Store.InTx(apart, func(ctx context.Context) error { // a source that remains is not used by anything
			return svc.Jobs.Add(ctx, jobs.Discard{WorkspaceID: who.WorkspaceID, SourceIDs: []string{made.ID}})
		})
	})
}

// fetch stores the response of an address. It returns *unfetched for a failure that a retry would not fix.
func (svc *Service) fetch(ctx context.Context, address string) (put File, err error) {
	ctx, cancel := context.WithTimeout(ctx, fetchedWithin)
	defer cancel()

	ask, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return put, &unfetched{"it cannot be requested"}
	}

	ask.Header.Set("Accept", "image/*")
	ask.Header.Set("User-Agent", "Reelgraph-Pictures/1")

	client := outbound.NewClient(svc.Targets)
	defer client.CloseIdleConnections()

	answer, err := client.Do(ask)

	switch blocked, is := errors.AsType[*outbound.BlockedError](err); {
	case is:
		return put, &unfetched{blocked.Error()}
	case err != nil:
		return put, &unfetched{"its server did not answer"}
	}

	defer answer.Body.Close() //nolint:errcheck // it was only read

	switch {
	case answer.StatusCode != http.StatusOK:
		return put, &unfetched{fmt.Sprintf("its server answered with status %d", answer.StatusCode)}
	case answer.ContentLength > fetchedBytes:
		return put, tooLarge()
	}

	return svc.putFetched(ctx, answer.Body)
}

func tooLarge() error { return &unfetched{"the picture is larger than 10 MiB"} }

// putFetched stores a response up to the maximum size of a picture.
func (svc *Service) putFetched(ctx context.Context, body io.Reader) (File, error) {
	key, err := blob.NewKey("sources", "")
	if err != nil {
		return File{}, fmt.Errorf("store picture: %w", err)
	}

	sum, torn := sha256.New(), &tornReader{Reader: io.LimitReader(body, fetchedBytes+1)}
	written, err := svc.Blobs.Put(ctx, key, io.TeeReader(torn, sum))

	switch {
	case torn.err != nil:
		return svc.forget(ctx, key, &unfetched{"its answer was cut off"})
	case err != nil:
		return File{}, fmt.Errorf("store picture: %w", err)
	case written.Size > fetchedBytes:
		return svc.forget(ctx, key, tooLarge())
	case written.Size == 0:
		return svc.forget(ctx, key, &unfetched{"its answer was empty"})
	}

	return File{key: key, bytes: written.Size, sha256: hex.EncodeToString(sum.Sum(nil))}, nil
}

// forget deletes a file that nothing refers to, and returns the given cause.
func (svc *Service) forget(ctx context.Context, key string, why error) (File, error) {
	_ = svc.Blobs.Delete(context.WithoutCancel(ctx), key) // no row refers to a file that remains

	return File{}, why
}

// tornReader remembers that reading has failed.
type tornReader struct {
	io.Reader

	err error
}

func (t *tornReader) Read(b []byte) (int, error) {
	n, err := t.Reader.Read(b)
	if err != nil && !errors.Is(err, io.EOF) {
		t.err = err
	}

	return n, err //nolint:wrapcheck // io.Reader
}

// pictureName returns the name of a picture, taken from its address.
func pictureName(address string) string {
	if u, err := url.Parse(address); err == nil {
		if name := path.Base(u.Path); name != "." && name != "/" && len([]rune(name)) <= maxPictureName {
			return name
		}
	}

	return "Picture"
}

const maxPictureName = 255
