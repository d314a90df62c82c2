package upload

import (
	"fmt"
	"net/http"
	"path"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
)

// catalogTypes maps the file types of the catalog to their content types.
var catalogTypes = map[string]string{
	".flac": "audio/flac", ".jpg": "image/jpeg", ".m4a": "audio/mp4", ".mp4": "video/mp4",
}

// catalog serves a default background or sound. Its address is stable and unsigned, since everyone may read it. The
// content may change when the product changes.
func (s downloads) catalog(w http.ResponseWriter, r *http.Request) error {
	item, err := s.catalogItem(r)
	if err != nil {
		return err
	}

	return s.sendDefault(w, r, item, item.BlobKey, "file")
}

// catalogPreview serves a small picture of a default background.
func (s downloads) catalogPreview(w http.ResponseWriter, r *http.Request) error {
	item, err := s.catalogItem(r)
	if err != nil {
		return err
	}

	return s.sendDefault(w, r, item, item.PreviewKey, "preview")
}

func (s downloads) catalogItem(r *http.Request) (*ent.CatalogItem, error) {
	ctx := auth.AsSystem(r.Context())

	item, err := s.Store.Client(ctx).CatalogItem.Get(ctx, r.PathValue("id"))
	if ent.IsNotFound(err) {
		return nil, gone(err)
	}

	if err != nil {
		return nil, fmt.Errorf("read catalog: %w", err)
	}

	return item, nil
}

func (s downloads) sendDefault(w http.ResponseWriter, r *http.Request, item *ent.CatalogItem, key, what string) error {
	if key == "" {
		return gone(fmt.Errorf("%s has no %s", item.ID, what))
	}

	w.Header().Set("Cache-Control", "public, max-age=3600")

	return s.send(w, r, key, what+"-"+item.RecipeHash[:min(16, len(item.RecipeHash))], catalogTypes[path.Ext(key)])
}
