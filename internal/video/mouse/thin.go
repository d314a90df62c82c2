package mouse

// Query says which events are wanted.
type Query struct {
	FromMs int64
	// UntilMs is excluded; zero or less is the end.
	UntilMs int64
	// EveryMs thins moves to one in each stretch of that length, the first; zero keeps all. Clicks are
	// never thinned.
	EveryMs int64
	// Clicks leaves out moves.
	Clicks bool
}

// Select returns the events that are wanted, in their order. The result is never nil.
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
