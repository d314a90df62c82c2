package rest

// restWords are said in the place of the graph's words where /v1 differs: what the graph answers as null is left
// out, null in a request is refused, and values are spelled in small letters. By type and property.
func restWords() map[string]string {
	const (
		locked = "1 to 255 characters; required when linkScope is password. Without linkScope it replaces the one in force; " +
			"otherwise it is not read."
		personal = "personal when absent."
		spoken   = "In playback time; of recorded words in recording time. Left out for a word that is cut."
		found    = "When it is said, in the video's playback time; left out for a name."
		volume   = "0 to 2; null follows the video. Left out when the clip has no such sound."
	)

	return map[string]string{
		"AddLayoutInput.media": "What is shown in the place of the clip, as b-roll over the whole frame unless the kind is b-roll, " +
			"which needs it.",
		"AddLayoutInput.transitionStyle":      "The caller's preference when absent.",
		"AddLibraryItemInput.scope":           "private when absent.",
		"AddLibraryItemInput.type":            "What the source is for; a sound is a sound effect when absent.",
		"AddTextOverlayInput.background":      "transparent, the default, or a colour. It shows in a backgroundShape other than none.",
		"TextOverlay.background":              "transparent or a colour. It shows in a backgroundShape other than none.",
		"AddTextOverlayInput.backgroundShape": "none by default: no background is drawn.",
		"AddTextOverlayInput.textAlign":       "center by default.",
		"AddZoomInput.focusPoint":             "The middle by default; ignored for a tracking zoom.",
		"AudioTrack.language":                 "As the file names it, mostly in three letters of ISO 639; left out where it does not.",
		"AudioTrack.title":                    "As the file names it; left out where it does not.",
		"AudioTrack.silent": "Whether nothing is heard in it from end to end; left out until that was measured. " +
			"Exports, waveforms and transcripts wait for that, ready does not.",
		"AutoLayoutsInput.style":              "When absent, the style that fits is chosen.",
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
		"CutClipBody.cuts":                    "Several ranges, in the place of fromMs and toMs.",
		"CutClipBody.fromMs":                  "Where one range begins, with toMs and without cuts.",
		"CutClipBody.toMs":                    "Where one range ends, with fromMs.",
		"Export.downloadUrl":                  "Signed for 24 hours, signed anew at each read. Left out unless completed.",
		"Export.error":                        "Left out unless failed.",
		"Layout.media":                        "The picture or film that is shown in the place of the clip; left out when the clip is seen.",
		"UpdateLayoutInput.layout":            "Without media beside it, a layout of another kind than b-roll loses those it has.",
		"Layout.transitionStyle": "How it begins; left out for the base. What resumes when it ends does so by its maker's preference for that; " +
			"a layout that follows it directly is cut hard if either says so.",
		"LinkScope.": "Who may watch it on its page: whoever has the link (public, the default), signed-in members of the workspace (private), " +
			"whoever knows the password, or nobody but where it is embedded (embedonly).",
		"LibraryItem.sourceId":      "Left out for default items.",
		"Playlist.emoji":            "One emoji; left out when there is none.",
		"RemoveSilencesInput.mode":  "natural shortens silences over 800 ms, fast over 500, faster over 300.",
		"SearchResult.endSeconds":   found,
		"SearchResult.startSeconds": found,
		"StartExportBody.fps":       "30 when absent; 60 needs a premium plan.",
		"StartExportBody.granularity": "story, one film, when absent; scenes is a ZIP with a film for each clip, raw a ZIP of the uploads. " +
			"video and clips are other names of story and scenes.",
		"StartExportBody.resolution": "1080p when absent; 4k needs a premium plan.",
		"StartExportBody.speed":      "1 when absent. The pitch is kept.",
		"StartExportBody.subtitles":  "Burns captions in; as the video's subtitlesEnabled when absent.",
		"Source.audio":               "Which volume governs its sound; left out when it has none to govern.",
		"Source.durationSeconds":     "Left out until known, and for pictures and pointer tracks.",
		"Source.error":               "Why it failed; left out otherwise.",
		"Source.fps":                 "Left out until known, and without pictures that move.",
		"Source.role":                "Which layer it becomes; left out unless it is a video.",
		"Source.interrupted": "True for a recording that was completed because nothing of it came any more: for 30 days its rest can be " +
			"sent to uploadUrl, from where it ended. Left out otherwise.",
		"Source.uploadUrl": "A fresh signed address until the bytes are complete, and while it is interrupted, for its creator alone; " +
			"then left out.",
		"Source.width":                 "In pixels as displayed; left out until known.",
		"UpdatePlaylistInput.password": locked,
		"UpdateVideoInput.password":    locked,
		"Visibility.": "Who of the workspace finds and reads it in the API: every member (org, the default), or its creator and " +
			"collaborators (personal). Who may watch its page is linkScope.",
		"Word.startTimeMs": spoken,
		"Zoom.focusPoint":  "Left out for a tracking zoom, which follows the cursor.",
	}
}

// commonWords are for fields that mean the same in several types: by the property alone, which stands behind *, or by type
// and property. They step back behind what the graph and restWords say.
func commonWords() map[string]string {
	return map[string]string{
		"*.clipId":      "The clip that is edited.",
		"*.durationMs":  "How long it lasts, in milliseconds.",
		"*.startTimeMs": "Where it begins, in milliseconds of the clip's playback time.",
		"*.endTimeMs":   "Where it ends, in milliseconds of the clip's playback time.",
		"*.createdAt":   "When it was made.",
		"*.hasMore":     "Whether another page follows.",
		"*.id":          "Its id, which never changes.",
		"*.nextCursor":  "The `cursor` of the next page; null on the last one.",
		"*.operationId": "A name of your own for the operation, unique in the request; results and errors name it.",
		"*.pagination":  "Whether there are more, and how to get them.",
		"*.revision":    "Rises by one with every edit of the video or its parts.",
		"*.updatedAt":   "When it was last changed.",

		"Cut.durationMs":           "How long it is, in milliseconds.",
		"Cut.startTimeMs":          "Where it begins, in milliseconds of the recording.",
		"CutInput.durationMs":      "How long it is, in milliseconds.",
		"CutInput.startTimeMs":     "Where it begins, in milliseconds of the recording.",
		"CutRangeInput.fromMs":     "Where it begins, in milliseconds of playback time.",
		"MouseEvent.timeMs":        "When, in milliseconds of playback time.",
		"MouseEvent.xPct":          "Percent of the screen's width, from its left edge.",
		"MouseEvent.yPct":          "Percent of the screen's height, from its upper edge.",
		"Silence.durationMs":       "How long it is, in milliseconds.",
		"Silence.startTimeMs":      "Where it begins, in milliseconds of playback time.",
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
		"Chapter.timestampSeconds": "Where it begins, in seconds of playback time.",
	}
}
