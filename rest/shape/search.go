package shape

import (
	"context"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// SearchOut is the response with search results.
type SearchOut struct {
	Pagination pagination     `json:"pagination"`
	Results    []searchResult `json:"results"`
}

type searchResult struct {
	Video        videoListItem   `json:"video"`
	MatchedIn    values.SearchIn `json:"matchedIn"`
	Snippet      string          `json:"snippet"`
	StartSeconds *float64        `json:"startSeconds,omitempty"`
	EndSeconds   *float64        `json:"endSeconds,omitempty"`
}

// SearchResultOf converts a search result to its JSON form.
func SearchResultOf(ctx context.Context, g Graph, found *model.SearchResult) (searchResult, error) {
	item, err := VideoListItemOf(ctx, g, found.Video)

	return searchResult{
		Video: item, MatchedIn: found.MatchedIn, Snippet: found.Snippet,
		StartSeconds: found.StartSeconds(), EndSeconds: found.EndSeconds(),
	}, err
}
