package pages

import (
	"fmt"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/signedurl"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// head holds the metadata of a page for people, previews and search engines.
type head struct {
	Title       string
	Description string
	Canonical   string
	Indexed     bool
	Open        bool // everybody may watch it, so previews may show it
	EmbedOnly   bool // nobody may watch it at Canonical
	Kind        string
	EmbedAt     string
	OEmbedAt    string
	Image       string
	Width       int
	Height      int
	Data        map[string]any // JSON-LD; nil for none
}

const describes = 200 // characters of a description in a preview

func (s *Server) headOf(shown *model.Showing) head {
	v := shown.Video
	open := v.Settings.LinkScope == values.LinkScopePublic
	h := head{
		Title: v.Name, Description: summary(v.Description), Canonical: s.Addresses.ViewPage(v.ID),
		Indexed: open && v.Settings.SearchEngineIndexingEnabled, Open: open, Kind: "video.other",
		EmbedOnly: v.Settings.LinkScope == values.LinkScopeEmbedOnly,
		EmbedAt:   s.Addresses.EmbedPage(v.ID), Image: posterAt(s.Addresses, v.ID), Width: v.Width, Height: v.Height,
	}

	if !open {
		return h
	}

	h.OEmbedAt = s.previews().at(h.Canonical)
	h.Data = map[string]any{
		"@context": "https://schema.org", "@type": "VideoObject", "name": v.Name, "url": h.Canonical, "embedUrl": h.EmbedAt,
		"description": h.Description, "thumbnailUrl": []string{h.Image},
		"duration": "PT" + strconv.FormatFloat(float64(v.DurationMs)/1000, 'f', -1, 64) + "S",
	}

	if h.Description == "" {
		h.Data["description"] = v.Name
	}

	if v.Settings.PublishDateEnabled {
		h.Data["uploadDate"] = v.CreatedAt.UTC().Format(time.RFC3339)
	}

	if v.Settings.ViewCountEnabled {
		h.Data["interactionStatistic"] = map[string]any{
			"@type": "InteractionCounter", "interactionType": map[string]any{"@type": "WatchAction"}, "userInteractionCount": v.Views,
		}
	}

	if parts := partsOf(h.Canonical, shown); len(parts) > 0 {
		h.Data["hasPart"] = parts
	}

	return h
}

// partsOf returns the chapters of a video for search engines.
func partsOf(page string, shown *model.Showing) []map[string]any {
	var parts []map[string]any

	for i, c := range shown.Chapters {
		endMs := shown.Video.DurationMs
		if i+1 < len(shown.Chapters) {
			endMs = shown.Chapters[i+1].TimestampMs
		}

		parts = append(parts, map[string]any{
			"@type": "Clip", "name": c.Title, "startOffset": c.TimestampMs / 1000, "endOffset": endMs / 1000,
			"url": fmt.Sprintf("%s?t=%d", page, c.TimestampMs/1000),
		})
	}

	return parts
}

func posterAt(addresses signedurl.Book, videoID string) string {
	return addresses.BaseURL + "/video/" + videoID + "/poster.jpg"
}

// summary returns the start of a text as one line.
func summary(text string) string {
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) <= describes {
		return text
	}

	return string([]rune(text)[:describes-1]) + "…"
}

// clock formats a time in a video.
func clock(ms int64) string {
	seconds := ms / 1000
	if seconds >= 3600 {
		return fmt.Sprintf("%d:%02d:%02d", seconds/3600, seconds/60%60, seconds%60)
	}

	return fmt.Sprintf("%d:%02d", seconds/60, seconds%60)
}

// views formats a number of views.
func views(n int64) string {
	if n == 1 {
		return "1 view"
	}

	digits := strconv.FormatInt(n, 10)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}

	return digits + " views"
}
