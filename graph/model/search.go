package model

import (
	"github.com/reelgraph/reelgraph/ent"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// SearchQuery holds the text to search for and where to search.
type SearchQuery struct {
	Query    string            `json:"query" query:"query" check:"required,chars=1..200,notblank"`
	SearchIn []values.SearchIn `json:"searchIn" query:"searchIn" check:"items=1..2"`
}

// SearchResult is a video that matches a search, with the place of the match.
type SearchResult struct {
	Video     *ent.Video
	MatchedIn values.SearchIn
	Snippet   string
	StartMs   *int64 // nil for a match in the title
	EndMs     *int64

	Rank int64 // among matches of the same kind
}

// StartSeconds returns the time at which the matching words start, or nil if the match is not in spoken words.
func (s *SearchResult) StartSeconds() *float64 { return seconds(s.StartMs) }

// EndSeconds returns the time at which the matching words end, or nil if the match is not in spoken words.
func (s *SearchResult) EndSeconds() *float64 { return seconds(s.EndMs) }

func seconds(ms *int64) *float64 {
	if ms == nil {
		return nil
	}

	s := Seconds(*ms)

	return &s
}

// The connections of search results and words.
type (
	// SearchResultConnection is a page of results.
	SearchResultConnection = Connection[*SearchResult]
	// SearchResultEdge is a result in a page.
	SearchResultEdge = Edge[*SearchResult]
	// WordConnection is a page of words.
	WordConnection = Connection[*Word]
	// WordEdge is a word in a page.
	WordEdge = Edge[*Word]
)
