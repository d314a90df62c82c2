package values

// SearchIn is where a search looks, and where it found.
type SearchIn string

// The values of SearchIn.
const (
	SearchInTitle      SearchIn = "title"
	SearchInTranscript SearchIn = "transcript"
)

// Values lists every SearchIn, as stored and as on the wire.
func (SearchIn) Values() []string { return values(SearchInTitle, SearchInTranscript) }
