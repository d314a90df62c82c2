package values

// Dimensions are a width and a height in pixels.
type Dimensions struct {
	Width  int `json:"width"`
	Height int `json:"height"`
}

// AspectRatio returns the ratio of width to height as a reduced fraction.
func (d Dimensions) AspectRatio() (w, h int) {
	a, b := d.Width, d.Height
	for b != 0 {
		a, b = b, a%b
	}

	if a == 0 {
		return d.Width, d.Height
	}

	return d.Width / a, d.Height / a
}

// VideoSettings are the settings of a video's public page. They do not include the viewing password: only a hash of
// it is stored, and the API never returns it.
type VideoSettings struct {
	AllowedEmbedDomains         []string  `json:"allowedEmbedDomains"`
	CaptionsDefaultEnabled      bool      `json:"captionsDefaultEnabled"`
	CommentEmailsEnabled        bool      `json:"commentEmailsEnabled"`
	CommentsEnabled             bool      `json:"commentsEnabled"`
	CustomThumbnailURL          string    `json:"customThumbnailURL,omitempty"`
	DefaultPlaybackRate         float64   `json:"defaultPlaybackRate"`
	DownloadsEnabled            bool      `json:"downloadsEnabled"`
	LinkScope                   LinkScope `json:"linkScope"`
	PublishDateEnabled          bool      `json:"publishDateEnabled"`
	RawDownloadsEnabled         bool      `json:"rawDownloadsEnabled"`
	SearchEngineIndexingEnabled bool      `json:"searchEngineIndexingEnabled"`
	TranscriptsEnabled          bool      `json:"transcriptsEnabled"`
	ViewCountEnabled            bool      `json:"viewCountEnabled"`
}

// DefaultVideoSettings returns the settings of a new video.
func DefaultVideoSettings() VideoSettings {
	return VideoSettings{
		AllowedEmbedDomains:  []string{},
		CommentEmailsEnabled: true,
		CommentsEnabled:      true,
		DefaultPlaybackRate:  1,
		LinkScope:            LinkScopePublic,
		PublishDateEnabled:   true,
		TranscriptsEnabled:   true,
		ViewCountEnabled:     true,
	}
}

// CaptionStyle is the style of captions. All four fields are always present.
type CaptionStyle struct {
	Name                CaptionStyleName `json:"name"`
	BackgroundColor     Color            `json:"backgroundColor"`
	TextColor           Color            `json:"textColor"`
	WordLevelHighlights bool             `json:"wordLevelHighlights"`
}

// Position is a point in the frame. Its coordinates are fractions from 0 to 1, from the top left.
type Position struct {
	X float64 `json:"x"`
	Y float64 `json:"y"`
}

// Editing holds the settings for all clips of a video.
type Editing struct {
	StudioSound       bool            `json:"studioSound"`
	MicrophoneVolume  float64         `json:"microphoneVolume"`  // 0 mutes, 1 is the original
	SystemAudioVolume float64         `json:"systemAudioVolume"` // 0 mutes, 1 is the original
	BorderStyle       BorderStyle     `json:"borderStyle"`
	Corners           Corners         `json:"corners"`
	ClipTransition    VideoTransition `json:"clipTransition"`
	SubtitlesEnabled  bool            `json:"subtitlesEnabled"`
	CaptionStyle      CaptionStyle    `json:"captionStyle"`
	CaptionPosition   Position        `json:"captionPosition"` // the caption's centre
}

// DefaultEditing returns the editing settings of a new video.
func DefaultEditing() Editing {
	return Editing{
		MicrophoneVolume:  1,
		SystemAudioVolume: 1,
		BorderStyle:       BorderStyleNone,
		Corners:           CornersRegular,
		ClipTransition:    VideoTransitionHardCut,
		CaptionStyle: CaptionStyle{
			Name:                CaptionStyleNameBackdrop,
			BackgroundColor:     "#000000CC",
			TextColor:           "#FFFFFFFF",
			WordLevelHighlights: true,
		},
		CaptionPosition: Position{X: 0.5, Y: 0.9},
	}
}

// BackgroundMusic is music that plays repeatedly during the whole video.
type BackgroundMusic struct {
	SourceID string  `json:"sourceId"`
	Name     string  `json:"name"`
	Volume   float64 `json:"volume"`             // 0 to 1
	PresetID *string `json:"presetId,omitempty"` // nil for an uploaded sound
}

// ChosenThumbnail is a thumbnail that was chosen for a video: a frame or an uploaded image. A thumbnail from an address
// is in VideoSettings.
type ChosenThumbnail struct {
	// SourceID is the image; empty for a frame.
	SourceID string `json:"sourceId,omitempty"`
	// ClipID is the clip of the frame, and AtMs is its recording time, so that the frame stays the same when the video is
	// cut or its clips are moved.
	ClipID string `json:"clipId,omitempty"`
	AtMs   int64  `json:"atMs,omitempty"`
}
