package auth

import "runtime"

// turns limits how many goroutines do something at once; the others wait.
type turns chan struct{}

// hashing limits concurrent argon2id runs. Each takes 19 MiB and a core for tens of milliseconds, so many
// password guesses at once take longer but no more memory.
var hashing = make(turns, max(2, runtime.GOMAXPROCS(0)))

func (t turns) take(fn func()) {
	t <- struct{}{}
	defer func() { <-t }()

	fn()
}
