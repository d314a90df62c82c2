package webhook

import "time"

// delays are the waits before each attempt, counted from the attempt before. The list follows Standard Webhooks: ten
// attempts over three days and four hours.
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

// jitter is the largest share by which a wait is shortened or lengthened. The contract allows a tenth; the rest is left
// to the queue, which may start a job late but never early.
const jitter = 0.08

// Next returns how long to wait before the next attempt, or false if there is no next attempt. Attempts are numbered
// from 1. If the receiver asked for a longer wait with Retry-After, Next returns exactly that wait. random must
// return a number in [0, 1).
func Next(attempt int, outcome Outcome, random func() float64) (time.Duration, bool) {
	schedule := delays()
	if outcome.Succeeded() || attempt < 1 || attempt >= len(schedule) {
		return 0, false
	}

	wait := schedule[attempt]
	wait += time.Duration((2*random() - 1) * jitter * float64(wait))

	return max(wait, outcome.RetryAfter), true
}
