package pages_test

import (
	"context"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// TestTrashHasNoPages: everything that a visitor can open of a video is gone once it is in the trash, also at addresses
// that a page was given before. A playlist shows its other videos. All of it is back when the video is restored.
func TestTrashHasNoPages(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	recorded := film(t, "1")
	v, other := l.made(recorded), l.made(recorded)
	list := l.playlist(v, other)
	set := func(trashed *time.Time) {
		l.member.Do(t, l.Store, func(ctx context.Context, c *ent.Client) {
			if trashed == nil {
				c.Video.UpdateOneID(v.ID).ClearTrashedAt().ExecX(ctx)
			} else {
				c.Video.UpdateOneID(v.ID).SetTrashedAt(*trashed).ExecX(ctx)
			}
		})
	}

	l.change(v, func(_ *ent.VideoUpdateOne, s *values.VideoSettings) {
		s.DownloadsEnabled, s.RawDownloadsEnabled = true, true
	})
	l.rendered(v, recorded)

	page := "/video/" + v.ID
	view := l.client().get(page + "/view")
	require.Equal(t, http.StatusOK, view.status)

	addresses := map[string]int{
		page + "/view": 200, page + "/embed": 200, page + "/poster.jpg": http.StatusFound,
		page + "/preview.gif": http.StatusFound,
		"/oembed?url=" + url.QueryEscape(l.front+page+"/view"): 200,
	}

	// Every signed address on the page, except pictures and storyboards, which no worker makes here.
	for _, found := range regexp.MustCompile(`/(?:watch|downloads|media|video)/[^"'\s<>\\]+token=[^"'\s<>\\]+`).FindAllString(html.UnescapeString(view.body), -1) {
		if status := l.client().get(found).status; status == http.StatusOK {
			addresses[found] = status
		}
	}

	require.Greater(t, len(addresses), 7, view.body)

	for range 2 {
		for address, status := range addresses {
			require.Equal(t, status, l.client().get(address).status, address)
		}

		require.Contains(t, l.client().get("/playlist/"+list.ID+"/view").body, v.ID)
		set(new(time.Now()))

		for address := range addresses {
			require.Equal(t, http.StatusNotFound, l.client().get(address).status, address)
		}

		shown := l.client().get("/playlist/" + list.ID + "/view")
		require.Equal(t, http.StatusOK, shown.status)
		require.NotContains(t, shown.body, v.ID)
		require.Contains(t, shown.body, other.ID)
		require.Equal(t, http.StatusNotFound, l.client().post(page+"/comments", url.Values{"author": {"A"}, "body": {"b"}}).status)

		set(nil)
	}
}

// TestPlaylistsInTheirOrder: the page of a playlist lists its videos in the order that they were moved to.
func TestPlaylistsInTheirOrder(t *testing.T) {
	t.Parallel()

	l := newLab(t)
	recorded := film(t, "1")
	first, second, third := l.made(recorded), l.made(recorded), l.made(recorded)
	list := l.playlist(first, second, third)

	// order returns the ids of the videos in the order of their first mention on the page.
	order := func(path string) []string {
		shown := l.client().get(path)
		require.Equal(t, http.StatusOK, shown.status)

		var named []string

		for _, link := range regexp.MustCompile(`href="[^"]*\?video=(vid_[0-9a-z]+)"`).FindAllStringSubmatch(html.UnescapeString(shown.body), -1) {
			if !slices.Contains(named, link[1]) {
				named = append(named, link[1])
			}
		}

		return named
	}

	for _, page := range []string{"/playlist/" + list.ID + "/view", "/playlist/" + list.ID + "/embed"} {
		require.Equal(t, []string{first.ID, second.ID, third.ID}, order(page))
	}

	g := l.Ask(t, l.member.Key, `mutation ($list: ID!, $video: ID!, $before: ID) { movePlaylistVideo(playlistId: $list, videoId: $video, before: $before) { video { id } } }`,
		map[string]any{"list": list.ID, "video": third.ID, "before": first.ID})
	require.Empty(t, g.Errors, g.Body)

	for _, page := range []string{"/playlist/" + list.ID + "/view", "/playlist/" + list.ID + "/embed"} {
		require.Equal(t, []string{third.ID, first.ID, second.ID}, order(page))
	}
}
