package values

// SearchIn is a field to search, or the field that matched.
type SearchIn string

// The values of SearchIn.
const (
	SearchInTitle      SearchIn = "title"
	SearchInTranscript SearchIn = "transcript"
)

// Values lists every SearchIn, as stored and as on the wire.
func (SearchIn) Values() []string { return values(SearchInTitle, SearchInTranscript) }
