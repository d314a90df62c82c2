package rest

// queryWords describes the query parameters. A key is the parameter's name, or operation.name if an operation uses
// the parameter differently.
func queryWords() map[string]string {
	const (
		stretch = "The range of time that the sixteen pictures cover, in milliseconds."
		first   = "The time of the first picture, in milliseconds."
		side    = "In pixels. If only one side is given, the aspect ratio is kept. "
		crop    = side + "If both are given, the picture is cropped to fill them."
		raw     = side + "Both must keep the aspect ratio of the source."
		shared  = "Your own items (`personal`) or those shared with the workspace (`org`)."
	)

	return map[string]string{
		"clipIds":       "Only these clips, separated by commas. All clips when absent.",
		"cursor":        "The `nextCursor` of the previous page; absent for the first page. Valid for 24 hours, with the same filters.",
		"download":      "With `true`, browsers save the file instead of showing it.",
		"endDate":       "The last day, such as `2026-01-31`, included. Default: today.",
		"event_types":   "Only these kinds of events, separated by commas.",
		"include":       "What to return for each clip besides its counts, separated by commas. Default: nothing more.",
		"kind":          "Only sources of this kind.",
		"language":      "The language of the words, such as `en` or `pt-BR`. Default: `und` (undetermined).",
		"limit":         "How many items a page has.",
		"minDurationMs": "Leaves out shorter pauses, in milliseconds.",
		"playlistId":    "Only the videos of this playlist. Cannot be combined with `tagIds`.",
		"query":         "The words to find. All must match, ignoring case and accents; the last one may be the start of a word.",
		"response":      "With `json`, the signed address is returned in a body instead of a redirect.",
		"scope":         "Only items of this scope. Default: all that you may read.",
		"searchIn":      "Where to search, separated by commas. Default: titles and transcripts.",
		"startDate":     "The first day, such as `2026-01-01`, included. Default: the first day of the data.",
		"status":        "Only sources in one of these states, separated by commas.",
		"tagIds":        "Only videos that have all of these tags, separated by commas. Cannot be combined with `playlistId`.",
		"timezone":      "The time zone of the days, as an IANA name such as `Europe/Berlin`.",
		"type":          "Only items of this type.",
		"visibility":    shared,

		"format": "A picture (`jpg`, `png`, `webp`) or an animated preview (`gif`, `mp4`).",
		"inpointMs": "The time of the picture, or the start of the preview, in milliseconds of playback time. Beyond the end it is " +
			"`bad_request`.",
		"durationMs": "The length of the preview, in milliseconds; 3,000 by default. Only for `gif` and `mp4`.",
		"width":      crop,
		"height":     crop,
		"getClipSourceThumbnail.inpointMs": "The time of the picture, or the start of the preview, in milliseconds of the recording. Beyond " +
			"the end it is `bad_request`.",
		"getClipSourceThumbnail.width":  raw,
		"getClipSourceThumbnail.height": raw,

		"getVideoStoryboard.startTimeMs":  first,
		"getVideoStoryboard.durationMs":   stretch,
		"getClipStoryboard.startTimeMs":   first,
		"getClipStoryboard.durationMs":    stretch,
		"getSourceStoryboard.startTimeMs": first,
		"getSourceStoryboard.durationMs":  stretch,

		"getWorkspaceAnalytics.scope":  "The videos shared with the workspace (`workspace`), or your own (`mine`).",
		"getWorkspaceAnalytics.cursor": "The `nextCursor` of the previous page of `topVideos`; absent for the first page.",
		"getWorkspaceAnalytics.limit":  "How many `topVideos` a page has.",
		"listWebhookMessages.limit":    "How many messages are returned, newest first.",

		"listMouseEvents.startTimeMs": "Only events from this time on, in milliseconds of playback time.",
		"listMouseEvents.endTimeMs":   "Only events before this time, in milliseconds of playback time. Default: the end.",
		"listMouseEvents.intervalMs":  "Keeps one move in this many milliseconds. 0 keeps all. Clicks are always kept.",
		"listMouseEvents.types":       "With `clicks`, moves are left out.",
	}
}
