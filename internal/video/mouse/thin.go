package mouse

// Query selects events.
type Query struct {
	FromMs int64
	// UntilMs is the exclusive end. Zero or less means the end of the recording.
	UntilMs int64
	// EveryMs keeps only the first move of each interval of that length. Zero keeps all moves. Clicks are
	// always kept.
	EveryMs int64
	// Clicks selects clicks only.
	Clicks bool
}

// Select returns the events that match the query, in their order. The result is never nil.
func Select(events []Event, q Query) []Event {
	out := []Event{}
	nextMs := q.FromMs

	for _, e := range events {
		switch {
		case e.TimeMs < q.FromMs:
			continue
		case q.UntilMs > 0 && e.TimeMs >= q.UntilMs:
			return out
		case e.Type == Click:
		case q.Clicks, q.EveryMs > 0 && e.TimeMs < nextMs:
			continue
		case q.EveryMs > 0:
			nextMs = e.TimeMs - (e.TimeMs-q.FromMs)%q.EveryMs + q.EveryMs
		}

		out = append(out, e)
	}

	return out
}
