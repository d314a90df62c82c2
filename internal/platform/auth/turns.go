package auth

import "runtime"

// turns bounds how many do something at once; the others wait.
type turns chan struct{}

// hashing are the turns at argon2: each takes 19 MiB and a core for tens of milliseconds, so that a crowd
// of guesses costs time, and no more memory than this many take.
var hashing = make(turns, max(2, runtime.GOMAXPROCS(0)))

func (t turns) take(fn func()) {
	t <- struct{}{}
	defer func() { <-t }()

	fn()
}
