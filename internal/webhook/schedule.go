package webhook

import "time"

// delays are the waits before each attempt, counted from the one before. The list is the
// recommendation of Standard Webhooks: ten attempts over three days and four hours.
func delays() []time.Duration {
	return []time.Duration{
		0,
		5 * time.Second,
		5 * time.Minute,
		30 * time.Minute,
		2 * time.Hour,
		5 * time.Hour,
		10 * time.Hour,
		14 * time.Hour,
		20 * time.Hour,
		24 * time.Hour,
	}
}

// jitter spreads each wait by a part of itself in both directions. The contract allows a
// tenth; what is left of it belongs to the queue, which starts a job late, never early.
const jitter = 0.08

// Next says how long to wait after the given attempt, counted from 1, and whether there is
// another one at all. A longer Retry-After of the receiver is honoured as it is. Random
// answers a number in [0, 1).
func Next(attempt int, outcome Outcome, random func() float64) (time.Duration, bool) {
	schedule := delays()
	if outcome.Succeeded() || attempt < 1 || attempt >= len(schedule) {
		return 0, false
	}
	wait := schedule[attempt]
	wait += time.Duration((2*random() - 1) * jitter * float64(wait))
	return max(wait, outcome.RetryAfter), true
}
