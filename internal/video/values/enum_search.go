package values

// SearchIn is a field to search, or the field that matched.
type SearchIn string

// The values of SearchIn.
const (
	SearchInTitle      SearchIn = "title"
	SearchInTranscript SearchIn = "transcript"
)

// Values returns every SearchIn as it is stored and sent.
func (SearchIn) Values() []string { return values(SearchInTitle, SearchInTranscript) }
