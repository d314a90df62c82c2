// Package upload receives recordings, and serves downloads and pictures, at signed addresses. A request to a signed
// address needs no API key and does not count against the API budget. Start with Server for the signed addresses,
// Service for the API's operations on sources, and Desk for the way from uploaded bytes to a source.
package upload

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
	"github.com/reelgraph/reelgraph/internal/platform/signedurl"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Server serves the signed addresses. Every field is required.
type Server struct {
	Addresses signedurl.Book
	// Avatar returns the picture of a person, made of an image, and makes it if needed.
	Avatar func(ctx context.Context, image *ent.Source) (values.ExtractFile, error)
	Blobs  blob.Store
	Clock  func() time.Time
	// Describe returns the API's response body for a source, as the user in the context sees it.
	Describe func(ctx context.Context, sourceID string) ([]byte, error)
	// Intake completes uploads, and waits for the probe before a response reports the status processing.
	Intake Desk
	Log    *slog.Logger
	Refuse middleware.RefuseFunc
	// Sources creates sources for Creation.
	Sources Sources
	// Still returns a picture made from media, and waits for it if needed.
	Still func(ctx context.Context, extractID string) (*ent.Extract, error)
	Store *store.Store
	// Thumbnail returns a thumbnail file of a video, such as small.jpg, and makes it if needed.
	Thumbnail func(ctx context.Context, videoID, name string) (values.ExtractFile, error)
	UploadMax int64 // bytes

	arriving arriving
}

// downloads sends media from signed addresses.
type downloads struct{ *Server }

func (s *Server) downloads() downloads { return downloads{s} }

// Handler serves /uploads/, /downloads/, /watch/, /media/ and /stills/. It must come after middleware.Identify and
// middleware.Guard. It returns 404 for any other path.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()
	read := []string{http.MethodGet, http.MethodHead}

	mux.Handle("/uploads/{id}", overridden(s.serve(s.receiveAt,
		http.MethodPut, http.MethodHead, http.MethodPatch, http.MethodOptions)))
	mux.Handle("/downloads/{id}", s.serve(s.downloads().download, read...))
	mux.Handle("/watch/{id}", s.serve(s.downloads().watch, read...))
	mux.Handle("/media/{id}", s.serve(s.downloads().media, read...))
	mux.Handle("/catalog/{id}", s.serve(s.downloads().catalog, read...))
	mux.Handle("/catalog/{id}/preview", s.serve(s.downloads().catalogPreview, read...))
	mux.Handle("/stills/{extract}/{file}", s.serve(s.downloads().still, read...))
	mux.Handle("/stills/{video}/{version}/{file}", s.serve(s.downloads().thumbnail, read...))
	mux.Handle("/", s.serve(func(http.ResponseWriter, *http.Request) error { return fault.NotFound("route") }))

	return mux
}

// serve converts the error of a handler into a response. Without methods, all methods are allowed.
func (s *Server) serve(handle func(http.ResponseWriter, *http.Request) error, methods ...string) http.Handler {
	allowed := strings.Join(methods, ", ")

	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if allowed != "" && !strings.Contains(", "+allowed+",", ", "+r.Method+",") {
			w.Header().Set("Allow", allowed)
			s.Refuse(w, r, middleware.NewRefusal(http.StatusMethodNotAllowed,
				"This address does not support the method "+r.Method+". It supports "+allowed+"."))

			return
		}

		if err := handle(w, r); err != nil {
			s.Refuse(w, r, err)
		}
	})
}

// check refuses a request whose address this server did not sign for the purpose, or whose signature has expired.
func (s *Server) check(purpose signedurl.Purpose, r *http.Request) error {
	if err := s.Addresses.Check(purpose, r.URL, s.Clock()); err != nil {
		return refused(err)
	}

	return nil
}

// refused uses the same words for every invalid signature.
func refused(err error) error {
	return fault.Forbidden("The signature of this address is invalid or has expired. Request a new address.").Because(err)
}

// gone returns the error for a file that was deleted or never existed.
func gone(err error) error {
	return fault.NotFound("file").Because(fmt.Errorf("signed address: %w", err))
}

// putsAtOnce is how many PUTs of one source this process accepts at the same time. It is more than one because a client
// may reconnect before its broken request has ended.
const putsAtOnce = 3

// arriving counts the running uploads of each source. Only one of them will be kept.
type arriving struct {
	mu       sync.Mutex
	bySource map[string]int
}

// enter returns a conflict when too many uploads are running.
func (a *arriving) enter(id string) (leave func(), err error) {
	a.mu.Lock()
	defer a.mu.Unlock()

	if a.bySource[id] >= putsAtOnce {
		f := fault.Conflict("Several uploads of this source are under way. Only one of them will be kept.")
		f.RetryAfter = stallAfter

		return nil, f
	}

	if a.bySource == nil {
		a.bySource = map[string]int{}
	}

	a.bySource[id]++

	return func() {
		a.mu.Lock()
		defer a.mu.Unlock()

		if a.bySource[id]--; a.bySource[id] == 0 {
			delete(a.bySource, id)
		}
	}, nil
}
