package rest

// restWords replaces descriptions of the graph where /v1 differs: null in the graph is an absent property here, null
// in a request is refused, and enum values are in lower case. Keys are type.property.
func restWords() map[string]string {
	const (
		locked = "1 to 255 characters. Required when linkScope is password. Without linkScope it replaces the existing password; " +
			"with any other linkScope it is ignored."
		personal = "personal when absent."
		spoken   = "In playback time, or in recording time for recorded words. Left out for a cut word."
		found    = "When the match is spoken, in the video's playback time; left out for a name."
		volume   = "0 to 2; null follows the video. Left out when the clip has no such sound."
	)

	return map[string]string{
		"AddLayoutInput.media": "What is shown instead of the clip. It fills the frame as b-roll, unless the layout's kind is b-roll. " +
			"Required for b-roll.",
		"AddLayoutInput.transitionStyle":      "By default the caller's preference.",
		"AddLibraryItemInput.scope":           "private when absent.",
		"AddLibraryItemInput.type":            "By default it follows from the source; a sound becomes a sound effect.",
		"AddTextOverlayInput.background":      "transparent (the default) or a color. It is drawn only if backgroundShape is not none.",
		"TextOverlay.background":              "transparent or a color. It is drawn only if backgroundShape is not none.",
		"AddTextOverlayInput.backgroundShape": "none by default: no background is drawn.",
		"AddTextOverlayInput.textAlign":       "center by default.",
		"AddZoomInput.focusPoint":             "The middle by default; ignored for a tracking zoom.",
		"AudioTrack.language":                 "As given in the file, usually a three-letter ISO 639 code; left out if not given.",
		"AudioTrack.title":                    "As given in the file; left out if not given.",
		"AudioTrack.silent": "Whether the track is entirely silent; left out until measured. " +
			"Exports, waveforms and transcripts wait for the measurement, but status ready does not.",
		"AutoLayoutsInput.style":              "By default the server chooses a fitting style.",
		"BackgroundInput.color":               "Required for solid.",
		"BackgroundInput.gradientAngle":       "Required for gradient, in degrees.",
		"Clip.animatedCursor":                 "Left out when the clip has no screen recording.",
		"Clip.microphoneVolume":               volume,
		"Clip.systemAudioVolume":              volume,
		"CreatePlaylistGroupInput.visibility": personal,
		"CreatePlaylistInput.linkScope":       "public when absent.",
		"CreatePlaylistInput.password":        locked,
		"CreatePlaylistInput.visibility":      personal,
		"CreateTagInput.scope":                "workspace when absent.",
		"CutClipBody.cuts":                    "Several ranges. Use either this or fromMs and toMs.",
		"CutClipBody.fromMs":                  "The start of a single range. Use it with toMs and without cuts.",
		"CutClipBody.toMs":                    "The end of a single range. Use it with fromMs.",
		"Export.downloadUrl":                  "Signed for 24 hours, newly at each read. Left out unless completed.",
		"Export.error":                        "Left out unless failed.",
		"Layout.media":                        "The picture or film shown instead of the clip; left out when the clip is shown.",
		"UpdateLayoutInput.layout":            "Without media in the same request, changing to another kind than b-roll removes the media.",
		"Layout.transitionStyle": "How the layout starts; left out for the base. " +
			"How the layout that resumes at its end starts depends on the preference of its creator. " +
			"If another layout follows directly, the change is a hard cut if either of the two says so.",
		"LinkScope.": "Who may watch the video on its page: everyone with the link (public, the default), " +
			"signed-in members of the workspace (private), " +
			"everyone who knows the password, or nobody except where it is embedded (embedonly).",
		"LibraryItem.sourceId":      "Left out for default items.",
		"Playlist.emoji":            "One emoji; left out when there is none.",
		"RemoveSilencesInput.mode":  "natural shortens silences over 800 ms, fast over 500, faster over 300.",
		"SearchResult.endSeconds":   found,
		"SearchResult.startSeconds": found,
		"StartExportBody.fps":       "30 by default; 60 needs a premium plan.",
		"StartExportBody.granularity": "story (one film, the default), scenes (a ZIP with a film for each clip) or raw (a ZIP of the uploads). " +
			"video and clips are other names for story and scenes.",
		"StartExportBody.resolution": "1080p by default; 4k needs a premium plan.",
		"StartExportBody.speed":      "1 by default. The pitch is kept.",
		"StartExportBody.subtitles":  "Whether captions are burned in. Default: the video's subtitlesEnabled.",
		"Source.audio":               "Which volume setting controls its sound; left out if none does.",
		"Source.durationSeconds":     "Left out until known, and for pictures and pointer tracks.",
		"Source.error":               "Why it failed; left out otherwise.",
		"Source.fps":                 "Left out until known, and for sources without moving pictures.",
		"Source.role":                "Which layer it becomes; left out unless it is a video.",
		"Source.interrupted": "True for a recording that was completed because it received no more bytes. The rest can still be " +
			"sent to uploadUrl for 30 days, starting where it stopped. Left out otherwise.",
		"Source.uploadUrl": "A fresh signed address for uploading. Only for the creator, until the bytes are complete or while the source is " +
			"interrupted; left out otherwise.",
		"Source.width":                 "In pixels as displayed; left out until known.",
		"UpdatePlaylistInput.password": locked,
		"UpdateVideoInput.password":    locked,
		"Visibility.": "Who in the workspace can find and read it in the API: every member (org, the default), or only its creator and " +
			"collaborators (personal). linkScope decides who may watch its page.",
		"Word.startTimeMs": spoken,
		"Zoom.focusPoint":  "Left out for a tracking zoom, which follows the cursor.",
	}
}

// commonWords describes properties that mean the same in several types. Keys are *.property or type.property.
// Descriptions of the graph and of restWords take precedence.
func commonWords() map[string]string {
	return map[string]string{
		"*.clipId":      "The clip to edit.",
		"*.durationMs":  "How long it lasts, in milliseconds.",
		"*.startTimeMs": "The start, in milliseconds of the clip's playback time.",
		"*.endTimeMs":   "The end, in milliseconds of the clip's playback time.",
		"*.createdAt":   "When it was created.",
		"*.hasMore":     "Whether another page follows.",
		"*.id":          "The id. It never changes.",
		"*.nextCursor":  "Pass it as `cursor` to get the next page; null on the last one.",
		"*.operationId": "Your own name for the operation, unique in the request. Results and errors refer to it.",
		"*.pagination":  "Whether there are more items, and how to get them.",
		"*.revision":    "Increases by one with every edit of the video or its parts.",
		"*.updatedAt":   "When it was last changed.",

		"Cut.durationMs":           "The length, in milliseconds.",
		"Cut.startTimeMs":          "The start, in milliseconds of the recording.",
		"CutInput.durationMs":      "The length, in milliseconds.",
		"CutInput.startTimeMs":     "The start, in milliseconds of the recording.",
		"CutRangeInput.fromMs":     "The start, in milliseconds of playback time.",
		"MouseEvent.timeMs":        "The time, in milliseconds of playback time.",
		"MouseEvent.xPct":          "Percent of the screen's width, from its left edge.",
		"MouseEvent.yPct":          "Percent of the screen's height, from its upper edge.",
		"Silence.durationMs":       "The length, in milliseconds.",
		"Silence.startTimeMs":      "The start, in milliseconds of playback time.",
		"Point.xPct":               "Percent of the screen's width, from its left edge.",
		"Point.yPct":               "Percent of the screen's height, from its upper edge.",
		"Extent.widthPct":          "Percent of the screen's width.",
		"Extent.heightPct":         "Percent of the screen's height.",
		"CropBox.xPct":             "Percent of the screen's width, from its left edge.",
		"CropBox.yPct":             "Percent of the screen's height, from its upper edge.",
		"CropBox.widthPct":         "Percent of the screen's width.",
		"CropBox.heightPct":        "Percent of the screen's height.",
		"Dimensions.width":         "In pixels.",
		"Dimensions.height":        "In pixels.",
		"Chapter.timestampSeconds": "The start, in seconds of playback time.",
	}
}
