package listing

import (
	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// VideoLinks returns the addresses of the pages that show a video.
func (svc *Service) VideoLinks(v *ent.Video) *model.VideoLinks {
	return &model.VideoLinks{ViewPage: svc.Addresses.ViewPage(v.ID), EmbedPage: svc.Addresses.EmbedPage(v.ID)}
}

// PlaylistLinks returns the address of a playlist's page.
func (svc Playlists) PlaylistLinks(p *ent.Playlist) *model.PlaylistLinks {
	return &model.PlaylistLinks{ViewPage: svc.Addresses.PlaylistPage(p.ID)}
}

// DownloadURL returns the signed download address of a finished export. It returns nil for any other export.
func (svc *Service) DownloadURL(e *ent.Export) *string {
	if e.Status != values.ExportStatusCompleted {
		return nil
	}

	return new(svc.Addresses.Download(e.ID, svc.Store.Now().Add(DownloadSigned)))
}
