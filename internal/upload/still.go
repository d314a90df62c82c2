package upload

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/ent/user"
	"github.com/reelgraph/reelgraph/ent/video"
	"github.com/reelgraph/reelgraph/internal/listing"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/ids"
	"github.com/reelgraph/reelgraph/internal/platform/signedurl"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// keptForAnHour lets a browser use a picture again without a request. It is for addresses that never show anything else.
const keptForAnHour = "private, max-age=3600"

// still serves a picture that has been or is being made from media.
func (s downloads) still(w http.ResponseWriter, r *http.Request) error {
	if err := s.check(signedurl.Still, r); err != nil {
		return err
	}

	made, err := s.Still(r.Context(), r.PathValue("extract"))
	if err != nil {
		return err
	}

	if err := s.refuseTrashed(auth.AsSystem(r.Context()), made.WorkspaceID, made.SubjectID); err != nil {
		return err
	}

	i := slices.IndexFunc(made.Files, func(f values.ExtractFile) bool { return f.Name == r.PathValue("file") })
	if i < 0 {
		return gone(nil)
	}

	w.Header().Set("Cache-Control", keptForAnHour)

	return s.show(w, r, made.Files[i])
}

// thumbnail serves one of the pictures that every video has, and makes it on first request. It always shows the present
// video, whichever version the address names, but browsers may keep only what was requested in the present version.
func (s downloads) thumbnail(w http.ResponseWriter, r *http.Request) error {
	if err := s.check(signedurl.Still, r); err != nil {
		return err
	}

	id, ctx := r.PathValue("video"), auth.AsSystem(r.Context())
	if ids.Is(ids.User, id) {
		return s.avatar(w, r, id)
	}

	found, err := s.Store.Client(ctx).Video.Query().Where(video.ID(id)).
		Select(video.FieldWorkspaceID, video.FieldRevision, video.FieldUpdatedAt, video.FieldThumbnailKey).Only(ctx)
	if ent.IsNotFound(err) {
		return gone(err)
	}

	if err != nil {
		return fmt.Errorf("read video: %w", err)
	}

	if r.PathValue("version") == listing.ThumbnailVersion(found) {
		w.Header().Set("Cache-Control", keptForAnHour)
	}

	file, err := s.Thumbnail(auth.AsWorkspace(ctx, found.WorkspaceID), id, r.PathValue("file"))
	if err != nil {
		return err
	}

	return s.show(w, r, file)
}

// avatar serves the picture of a person, whichever version the address names. Browsers may keep it only if it was
// requested in the present version.
func (s downloads) avatar(w http.ResponseWriter, r *http.Request, id string) error {
	ctx := auth.AsSystem(r.Context())

	person, err := s.Store.Client(ctx).User.Query().Where(user.ID(id), user.AvatarSourceIDNotNil()).Only(ctx)
	if ent.IsNotFound(err) {
		return gone(err)
	}

	if err != nil {
		return fmt.Errorf("read user: %w", err)
	}

	image, err := s.Store.Client(ctx).Source.Get(ctx, person.AvatarSourceID)
	if ent.IsNotFound(err) {
		return gone(err)
	}

	if err != nil {
		return fmt.Errorf("read source: %w", err)
	}

	file, err := s.Avatar(auth.AsWorkspace(ctx, image.WorkspaceID), image)
	if err != nil {
		return err
	}

	if r.PathValue("version") == listing.AvatarVersion(person) {
		w.Header().Set("Cache-Control", keptForAnHour)
	}

	return s.show(w, r, file)
}

// stillTypes maps file extensions of pictures to content types.
func stillTypes() map[string]string {
	return map[string]string{
		".gif": "image/gif", ".jpg": "image/jpeg", ".mp4": "video/mp4", ".png": "image/png", ".webp": "image/webp",
	}
}

// show sends a picture. It does not send other files, such as a waveform.
func (s downloads) show(w http.ResponseWriter, r *http.Request, f values.ExtractFile) error {
	kind, known := stillTypes()[filepath.Ext(f.Name)]
	if !known {
		return gone(nil)
	}

	if r.URL.Query().Get(signedurl.SaveParam) == "true" {
		w.Header().Set("Content-Disposition", `attachment; filename="`+f.Name+`"`)
	}

	return s.send(w, r, f.BlobKey, etag(f), kind)
}

// etag distinguishes files without revealing their keys.
func etag(f values.ExtractFile) string {
	sum := sha256.Sum256([]byte(f.BlobKey))

	return hex.EncodeToString(sum[:8])
}
