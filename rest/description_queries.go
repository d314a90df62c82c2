package rest

// queryWords describe the parameters of queries. A key is the parameter's name, or the operation and the name where one
// operation means something of its own.
func queryWords() map[string]string {
	const (
		stretch = "How long a stretch the sixteen pictures are spread over, in milliseconds."
		first   = "Where the first picture is taken, in milliseconds."
		side    = "In pixels. With one side given, the other keeps the aspect ratio. "
		crop    = side + "With both, the picture is cropped to fill them."
		raw     = side + "Both must keep the aspect ratio of the source."
		shared  = "Whose: your own (`personal`) or those shared with the workspace (`org`)."
	)

	return map[string]string{
		"clipIds":       "Only these clips, separated by commas. All clips when absent.",
		"cursor":        "The `nextCursor` of the page before; absent for the first page. Good for 24 hours, with the same filters.",
		"download":      "With `true`, browsers save the file instead of showing it.",
		"endDate":       "The last day, such as `2026-01-31`, included. Until now when absent.",
		"event_types":   "Only these kinds of events, separated by commas.",
		"include":       "What to answer of each clip besides its counts, separated by commas. Nothing more when absent.",
		"kind":          "Only sources of this kind.",
		"language":      "The language of the words, such as `en` or `pt-BR`. `und` (undetermined) when absent.",
		"limit":         "How many items a page has.",
		"minDurationMs": "Leaves out pauses that are shorter, in milliseconds.",
		"playlistId":    "Only the videos of this playlist. Not together with `tagIds`.",
		"query":         "The words to find. All must match, in any case and with or without accents; the last may be the beginning of a word.",
		"response":      "With `json`, the signed address is answered in a body instead of a redirect.",
		"scope":         "Only items of this scope. All that you may see when absent.",
		"searchIn":      "Where to look, separated by commas. In titles and transcripts when absent.",
		"startDate":     "The first day, such as `2026-01-01`, included. From the beginning when absent.",
		"status":        "Only sources in one of these states, separated by commas.",
		"tagIds":        "Only videos that have all of these tags, separated by commas. Not together with `playlistId`.",
		"timezone":      "The time zone in which days begin, by its IANA name such as `Europe/Berlin`.",
		"type":          "Only items of this type.",
		"visibility":    shared,

		"format": "A picture (`jpg`, `png`, `webp`) or a moving preview (`gif`, `mp4`).",
		"inpointMs": "Which frame is shown, or where the preview begins, in milliseconds of playback time. Beyond the end is " +
			"`bad_request`.",
		"durationMs": "How long a preview is, in milliseconds; 3,000 when absent. Only for `gif` and `mp4`.",
		"width":      crop,
		"height":     crop,
		"getClipSourceThumbnail.inpointMs": "Which frame is shown, or where the preview begins, in milliseconds of the recording. Beyond " +
			"the end is `bad_request`.",
		"getClipSourceThumbnail.width":  raw,
		"getClipSourceThumbnail.height": raw,

		"getVideoStoryboard.startTimeMs":  first,
		"getVideoStoryboard.durationMs":   stretch,
		"getClipStoryboard.startTimeMs":   first,
		"getClipStoryboard.durationMs":    stretch,
		"getSourceStoryboard.startTimeMs": first,
		"getSourceStoryboard.durationMs":  stretch,

		"getWorkspaceAnalytics.scope":  "The videos shared with the workspace (`workspace`), or your own (`mine`).",
		"getWorkspaceAnalytics.cursor": "The `nextCursor` of the page of `topVideos` before; absent for the first page.",
		"getWorkspaceAnalytics.limit":  "How many `topVideos` a page has.",
		"listWebhookMessages.limit":    "How many messages are answered, newest first.",

		"listMouseEvents.startTimeMs": "Only events from this moment on, in milliseconds of playback time.",
		"listMouseEvents.endTimeMs":   "Only events before this moment, in milliseconds of playback time. To the end when absent.",
		"listMouseEvents.intervalMs":  "Keeps one move in every so many milliseconds. 0 keeps all; clicks are always kept.",
		"listMouseEvents.types":       "With `clicks`, moves are left out.",
	}
}
