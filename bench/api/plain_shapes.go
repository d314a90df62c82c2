package main

import "github.com/reelgraph/reelgraph/internal/video/values"

// The JSON shapes of the handler written by hand. They follow the contract, and the bench compares every answer with
// the product's.

type videosOut struct {
	Pagination struct {
		HasMore    bool    `json:"hasMore"`
		NextCursor *string `json:"nextCursor"`
	} `json:"pagination"`
	Videos []item `json:"videos"`
}

// cursor is what the product encrypts in a cursor: the version, the start of the walk, and the position.
type cursor struct {
	Version int    `json:"v"`
	MadeMs  int64  `json:"m"`
	AtMs    int64  `json:"t"`
	ID      string `json:"i"`
	Walk    string `json:"s"`
}

type item struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Description string `json:"description"`
	AspectRatio string `json:"aspectRatio"`
	CreatedAt   string `json:"createdAt"`
	UpdatedAt   string `json:"updatedAt"`
	Views       int64  `json:"views"`
	Links       links  `json:"links"`
}

type links struct {
	EmbedPage string `json:"embedPage"`
	ViewPage  string `json:"viewPage"`
}

type videoOut struct {
	Video detail `json:"video"`
}

type detail struct {
	item

	DurationSeconds float64              `json:"durationSeconds"`
	PlaylistIDs     []string             `json:"playlistIds"`
	Chapters        []chapter            `json:"chapters"`
	Exports         []export             `json:"exports"`
	Settings        values.VideoSettings `json:"settings"`
	Thumbnails      thumbnails           `json:"thumbnails"`
	Transcript      transcript           `json:"transcript"`
	ClipIDs         []string             `json:"clipIds"`
	Dimensions      values.Dimensions    `json:"dimensions"`
	Revision        int64                `json:"revision"`
	Editing         editing              `json:"editing"`
}

type editing struct {
	values.Editing

	Visibility string            `json:"visibility"`
	Dimensions values.Dimensions `json:"dimensions"`
}

type chapter struct {
	Title            string  `json:"title"`
	Description      string  `json:"description"`
	TimestampSeconds float64 `json:"timestampSeconds"`
}

type export struct {
	ExportID    string `json:"exportId"`
	Status      string `json:"status"`
	Progress    int    `json:"progress"`
	DownloadURL string `json:"downloadUrl"`
	Granularity string `json:"granularity"`
	Resolution  string `json:"resolution"`
	FPS         string `json:"fps"`
	Speed       string `json:"speed"`
	Subtitles   bool   `json:"subtitles"`
	Revision    int64  `json:"revision"`
	CreatedAt   string `json:"createdAt"`
	UpdatedAt   string `json:"updatedAt"`
}

type thumbnails struct {
	Large  thumbnail `json:"large"`
	Medium thumbnail `json:"medium"`
	Small  thumbnail `json:"small"`
	XL     thumbnail `json:"xl"`
}

type thumbnail struct {
	GIF  string `json:"gif"`
	JPG  string `json:"jpg"`
	MP4  string `json:"mp4"`
	WebP string `json:"webp"`
}

type transcript struct {
	Language  string     `json:"language"`
	Sentences []sentence `json:"sentences"`
	Status    string     `json:"status"`
	Text      string     `json:"text"`
}

type sentence struct {
	StartSeconds float64 `json:"startSeconds"`
	EndSeconds   float64 `json:"endSeconds"`
	Text         string  `json:"text"`
}
