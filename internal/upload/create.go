package upload

import (
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/limit"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
	"github.com/reelgraph/reelgraph/internal/platform/signedurl"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// Sources creates sources for clients that use only the tus protocol and not the API. The context contains the
// caller.
type Sources interface {
	// Upload creates a source, or a part of one, and returns the signed address for its bytes.
	Upload(ctx context.Context, in model.CreateSourceInput, partial bool) (*ent.Source, string, error)
	// JoinUpload creates a source from parts.
	JoinUpload(ctx context.Context, in model.CreateSourceInput, parts []string) (*ent.Source, string, error)
}

const (
	// sourceHeader names the source that an upload has created.
	sourceHeader = "Reelgraph-Source-Id"

	concatPartial = "partial"
	concatFinal   = "final;"

	// leastRoom is how much free disk space an upload needs to be created: the size of one write.
	leastRoom = 256 << 10

	// partsAtOnce is how many parts an upload may have.
	partsAtOnce = 100

	// maxName and maxType are the maximum lengths of a name and a content type.
	maxName, maxType = 255, 255
)

// Creation serves POST /uploads, the request of the tus protocol that creates an upload. gate must admit requests
// with an API key or a session. OPTIONS requests do not go through the gate and cost nothing.
func (s *Server) Creation(gate func(http.Handler) http.Handler) http.Handler {
	const methods = "POST, OPTIONS"

	known := s.serve(func(w http.ResponseWriter, r *http.Request) error { return s.create(w, r, methods) },
		http.MethodPost, http.MethodOptions)
	guarded := gate(known)

	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodOptions {
			known.ServeHTTP(w, r)

			return
		}

		guarded.ServeHTTP(w, r)
	})
}

// create creates a source, with its first bytes if the request has a body.
func (s *Server) create(w http.ResponseWriter, r *http.Request, methods string) error {
	if r.Method != http.MethodOptions {
		if err := limit.Refusal(r.Context()); err != nil {
			return err
		}
	}

	if done, err := s.greet(w, r, methods); done || err != nil {
		return err
	}

	c, err := s.readCreation(r)
	if err != nil {
		return err
	}

	if err := s.Blobs.Room(leastRoom); err != nil {
		return fmt.Errorf("check free disk space: %w", err)
	}

	made, at, err := s.make(r.Context(), c)
	if err != nil {
		return err
	}

	if c.sent || c.in.Bytes != nil && *c.in.Bytes == 0 && !c.partial && c.parts == nil {
		if made, err = s.first(auth.AsSystem(r.Context()), w, r, made, c); err != nil {
			return err
		}

		w.Header().Set(tusOffset, strconv.FormatInt(made.UploadOffset, 10))
	}

	if len(c.parts) > 0 {
		if err := s.awaitProbe(auth.AsSystem(r.Context()), made.ID); err != nil {
			return err
		}
	}

	h := w.Header()
	h.Set("Location", at)

	if !c.partial {
		h.Set(sourceHeader, made.ID)
	}

	if Incomplete(made) && made.UploadExpiresAt != nil {
		h.Set(tusExpires, made.UploadExpiresAt.UTC().Format(http.TimeFormat))
	}

	w.WriteHeader(http.StatusCreated)

	return nil
}

func (s *Server) make(ctx context.Context, c creation) (*ent.Source, string, error) {
	if c.parts != nil {
		return s.Sources.JoinUpload(ctx, c.in, c.parts)
	}

	return s.Sources.Upload(ctx, c.in, c.partial)
}

// first stores the bytes that came with a creation. The source exists by then, so if some bytes cannot be stored, the
// response says how many were. The client continues from there and learns the reason.
func (s *Server) first(
	ctx context.Context, w http.ResponseWriter, r *http.Request, made *ent.Source, c creation,
) (*ent.Source, error) {
	p := piece{length: c.in.Bytes, bytes: r.ContentLength}
	if err := s.bound(&p); err != nil {
		return nil, err
	}

	now, err := s.take(ctx, w, r, made, p)
	if err == nil {
		return now, nil
	}

	if _, refused := errors.AsType[*middleware.RefusalError](err); refused {
		return nil, err
	}

	s.Log.WarnContext(ctx, "upload: only part of the data sent with the create request was stored",
		slog.String("source", made.ID), slog.Any("error", err))

	now, again := s.Store.Client(ctx).Source.Get(ctx, made.ID)
	if again != nil {
		return nil, errors.Join(err, again)
	}

	arrived, again := s.Intake.Arrived(ctx, now)
	if again != nil {
		return nil, errors.Join(err, again)
	}

	return s.measured(ctx, now, arrived, now.UploadLength)
}

// creation holds what a POST says about its new upload.
type creation struct {
	in      model.CreateSourceInput
	partial bool     // it is one of several parts
	parts   []string // the parts that it is joined from; nil if it is not joined
	sent    bool     // its first bytes are in the request
}

// readCreation parses the headers of a POST.
func (s *Server) readCreation(r *http.Request) (creation, error) {
	c := creation{in: model.CreateSourceInput{SourceDeclared: model.SourceDeclared{Kind: values.SourceKindVideo}}}

	if err := c.describe(r.Header.Values(tusMetadata)); err != nil {
		return c, err
	}

	concat := strings.TrimSpace(r.Header.Get(tusConcat))
	list, final := strings.CutPrefix(concat, concatFinal)

	switch {
	case final:
		parts, err := s.partsOf(list)
		c.parts = parts

		if err == nil && r.ContentLength != 0 {
			err = fault.BadRequest("An upload that is joined from parts must not have a body.")
		}

		return c, err
	case concat != "" && concat != concatPartial:
		return c, fault.BadRequest(tusConcat + ` must be "partial", or "final;" followed by the addresses of the parts.`)
	}

	c.partial = concat == concatPartial

	if err := c.measure(r); err != nil {
		return c, err
	}

	if kind := r.Header.Get("Content-Type"); r.ContentLength != 0 {
		if kind != tusPiece {
			return c, middleware.NewRefusal(http.StatusUnsupportedMediaType, "The content type of a POST with a body must be "+tusPiece+".")
		}

		c.sent = true
	}

	p := piece{length: c.in.Bytes, bytes: r.ContentLength}

	return c, s.bound(&p)
}

// measure parses the length of the upload.
func (c *creation) measure(r *http.Request) error {
	length, given, err := number(r, tusLength)
	deferred := r.Header.Get(tusDeferLength)

	switch {
	case err != nil:
		return err
	case given && deferred != "":
		return fault.BadRequest(tusLength + " and " + tusDeferLength + " cannot be used together.")
	case deferred != "" && deferred != "1":
		return fault.BadRequest(tusDeferLength + " must be 1.")
	case !given && deferred == "":
		return fault.BadRequest(tusLength + " is missing. Send " + tusDeferLength + ": 1 if the length is not known yet.")
	case given:
		c.in.Bytes = &length
	}

	return nil
}

// describe parses Upload-Metadata: pairs of a name and a Base64 value. It uses file name, content type, kind, role and
// whether it is streaming, and ignores other names.
func (c *creation) describe(headers []string) error {
	said := map[string]string{}

	for pair := range strings.SplitSeq(strings.Join(headers, ","), ",") {
		name, encoded, _ := strings.Cut(strings.TrimSpace(pair), " ")
		if name == "" {
			continue
		}

		value, err := base64.StdEncoding.DecodeString(strings.TrimSpace(encoded))
		if err != nil {
			return fault.BadRequest(fmt.Sprintf("%s: the value of %.40q must be in Base64.", tusMetadata, name))
		}

		if _, twice := said[name]; twice {
			return fault.BadRequest(fmt.Sprintf("%s: %.40q is given twice.", tusMetadata, name))
		}

		said[name] = string(value)
	}

	return c.mean(said)
}

// mean converts the metadata of a tus client into the input of createSource.
func (c *creation) mean(said map[string]string) error {
	if name := shorten(said["filename"], maxName); strings.TrimSpace(name) != "" {
		c.in.Name = &name
	}

	kind := said["filetype"]
	if kind != "" && len(kind) <= maxType {
		c.in.ContentType = &kind
	}

	major, _, _ := strings.Cut(kind, "/")
	if guess := values.SourceKind(strings.ToLower(major)); guess == values.SourceKindAudio || guess == values.SourceKindImage {
		c.in.Kind = guess
	}

	if value, given := said["kind"]; given {
		c.in.Kind = values.SourceKind(value)
		if err := oneOf("kind", value, c.in.Kind.Values()); err != nil {
			return err
		}
	}

	if value, given := said["role"]; given {
		role := values.SourceRole(value)
		if err := oneOf("role", value, role.Values()); err != nil {
			return err
		}

		c.in.Role = &role
	}

	if value, given := said["streaming"]; given {
		if err := oneOf("streaming", value, []string{"true", "false"}); err != nil {
			return err
		}

		streaming := value == "true"
		c.in.Streaming = &streaming
	}

	return nil
}

// shorten cuts a name to the maximum length and keeps its extension.
func shorten(name string, most int) string {
	runes := []rune(strings.ToValidUTF8(strings.ReplaceAll(name, "\x00", ""), ""))
	if len(runes) <= most {
		return string(runes)
	}

	extension := []rune(path.Ext(string(runes)))
	if len(extension) > 16 { //nolint:mnd // longer than any: it is a part of the name
		extension = nil
	}

	return string(runes[:most-len(extension)]) + string(extension)
}

func oneOf(name, value string, allowed []string) error {
	if slices.Contains(allowed, value) {
		return nil
	}

	return fault.BadRequest(fmt.Sprintf("%s: %s must be one of %s.", tusMetadata, name, strings.Join(allowed, ", ")))
}

// partsOf parses the addresses of parts, which must be signed. Ownership is checked when the parts are joined, so an
// expired address does no harm.
func (s *Server) partsOf(list string) ([]string, error) {
	addresses := strings.Fields(list)
	if n := len(addresses); n == 0 || n > partsAtOnce {
		return nil, fault.BadRequest(fmt.Sprintf("%s must name 1 to %d parts.", tusConcat, partsAtOnce))
	}

	ids := make([]string, len(addresses))

	for i, text := range addresses {
		at, err := url.Parse(text)
		if err != nil {
			return nil, fault.BadRequest(fmt.Sprintf("%s: the address of part %d is invalid.", tusConcat, i+1))
		}

		ids[i] = path.Base(at.Path)

		err = s.Addresses.Check(signedurl.Upload, &url.URL{Path: "/uploads/" + ids[i], RawQuery: at.RawQuery}, s.Clock())
		if err != nil && !errors.Is(err, blob.ErrExpired) {
			return nil, refused(err)
		}
	}

	return ids, nil
}
