package exhaustive_test

// clipEdit is an operation that editors of a video may do to one of its clips.
func clipEdit(name, method, path, body, graph string) ask {
	return ask{
		name: name, method: method, target: "/v1/videos/$VIDEO/clips/$CLIP" + path, body: body,
		graph: `mutation { ` + graph + ` }`, alone: true, exists: actor.reads, may: actor.edits,
	}
}

// videoEdit is an operation that editors may do to a video.
func videoEdit(name, method, path, body, graph string) ask {
	return ask{
		name: name, method: method, target: "/v1/videos/$VIDEO" + path, body: body,
		graph: `mutation { ` + graph + ` }`, alone: true, exists: actor.reads, may: actor.edits,
	}
}

// clipRead is a read of a clip that readers of its video may do.
func clipRead(name, path, graph string) ask {
	return ask{
		name: name, method: "GET", target: "/v1/videos/$VIDEO/clips/$CLIP" + path,
		graph: `{ clip(id: "$CLIP") { ` + graph + ` } }`, alone: true, exists: actor.reads,
	}
}

// videoRead is a read of a video that its readers may do.
func videoRead(name, path, graph string) ask {
	return ask{
		name: name, method: "GET", target: "/v1/videos/$VIDEO" + path,
		graph: `{ video(id: "$VIDEO") { ` + graph + ` } }`, alone: true, exists: actor.reads,
	}
}

// unmade marks an operation that this server cannot compute; allowed callers get that error.
func unmade(a ask) ask {
	a.unmade = true

	return a
}

// ofSource marks an operation that shows or plays a source as recorded.
func ofSource(a ask) ask {
	a.alone, a.may = false, actor.uses

	return unmade(a)
}

// wordAsks returns the operations on words, chapters, copies, music and pictures. Those that change words are ordered
// so that each finds what it needs.
func wordAsks() []ask {
	put := clipEdit("putTranscript", "PUT", "/transcript", "WEBVTT\n\n00:01.000 --> 00:02.000\num well yes\n",
		`putTranscript(clipId: "$CLIP", input: {format: VTT, text: "WEBVTT\n\n00:01.000 --> 00:02.000\num well yes"}) { clip { id } }`)
	put.sends = "text/vtt"

	return []ask{
		put,
		clipRead("getTranscript", "/transcript", `transcript { status language } words { nodes { text } }`),
		clipRead("getTranscriptCut", "/transcript/cut", `words(of: HEARD) { nodes { text } }`),
		{
			name: "getTranscriptUncut", method: "GET", target: "/v1/videos/$VIDEO/clips/$CLIP/transcript/uncut",
			graph: `{ clip(id: "$CLIP") { words(of: RECORDED) { nodes { text } } } }`, exists: actor.reads, may: actor.uses,
		},
		clipEdit("correctWords", "PATCH", "/transcript/words", `{"words":[{"index":0,"text":"er"}]}`,
			`correctWords(clipId: "$CLIP", input: {words: [{index: 0, text: "oh"}]}) { words { text } }`),
		clipEdit("cutClipByTranscript", "POST", "/cut-by-transcript", `{"wordRanges":[{"fromWordIndex":1,"toWordIndex":1}]}`,
			`cutClipByTranscript(id: "$CLIP", input: {wordRanges: [{fromWordIndex: 2, toWordIndex: 2}]}) { clip { id } }`),
		clipEdit("removeFillers", "POST", "/remove-fillers", ``, `removeFillers(clipId: "$CLIP") { clip { id } }`),
		clipRead("listSilences", "/silences", `silences { startTimeMs }`),
		clipEdit("removeSilences", "POST", "/remove-silences", ``, `removeSilences(clipId: "$CLIP") { clip { id } }`),
		videoRead("listChapters", "/chapters", `chapters { title }`),
		videoEdit("replaceChapters", "PUT", "/chapters", `{"chapters":[{"timestampSeconds":1,"title":"A"}]}`,
			`replaceChapters(videoId: "$VIDEO", input: {chapters: [{timestampSeconds: 2, title: "B"}]}) { chapters { title } }`),
		{
			name: "duplicateVideo", method: "POST", target: "/v1/videos/$VIDEO/duplicate", graph: `mutation { duplicateVideo(id: "$VIDEO") { video { id } } }`,
			exists: actor.reads, may: func(a actor, v state) bool { return a.creates() && a.uses(v) },
		},
		videoEdit("removeBackgroundMusic", "DELETE", "/background-music", ``, `removeBackgroundMusic(videoId: "$VIDEO") { video { id } }`),
		videoEdit("applySubtitlePreset", "PUT", "/subtitle-preset", `{"presetId":"light"}`,
			`applySubtitlePreset(videoId: "$VIDEO", presetId: "plain") { video { id } }`),
		{
			name: "setBackgroundMusic of a source out of sight", method: "PUT", target: "/v1/videos/$VIDEO/background-music", body: `{"sourceId":"$UNUSED"}`,
			graph: `mutation { setBackgroundMusic(videoId: "$VIDEO", input: {sourceId: "$UNUSED"}) { video { id } } }`, alone: true, exists: never,
		},
		{name: "listSubtitlePresets", method: "GET", target: "/v1/subtitle-presets", graph: `{ subtitlePresets { presetId } }`, alone: true},
		{name: "searchVideos", method: "GET", target: "/v1/videos/search?query=video", graph: `{ searchVideos(query: "video") { nodes { video { id } } } }`, alone: true},
		unmade(videoRead("getVideoThumbnail", "/thumbnail", `still`)),
		unmade(videoRead("getVideoStoryboard", "/storyboard", `storyboard { url }`)),
		unmade(clipRead("getClipThumbnail", "/thumbnail", `still`)),
		unmade(clipRead("getClipStoryboard", "/storyboard", `storyboard { url }`)),
		ofSource(clipRead("getClipSourceThumbnail", "/sources/$SOURCE/thumbnail", `sourceStill(sourceId: "$SOURCE")`)),
		unmade(clipEdit("autoCrop", "POST", "/auto-crop", ``, `autoCrop(clipId: "$CLIP") { confidence }`)),
		ofSource(ask{
			name: "getSourceStoryboard", method: "GET", target: "/v1/sources/$SOURCE/storyboard",
			graph: `{ source(id: "$SOURCE") { storyboard { url } } }`, exists: actor.reads,
		}),
	}
}
