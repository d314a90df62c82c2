package model

// NamedIDs are the ids that an operation on several objects is given.
type NamedIDs struct {
	IDs []string `json:"ids" check:"items=1..100"`
}

// NamedVideos are the ids of the videos that an operation on a playlist is given.
type NamedVideos struct {
	VideoIDs []string `json:"videoIds" check:"items=1..100"`
}

// TaggedVideos are the ids of the videos and tags that an operation on all of them is given.
type TaggedVideos struct {
	VideoIDs []string `json:"videoIds" check:"items=1..100"`
	TagIDs   []string `json:"tagIds" check:"items=1..100"`
}
