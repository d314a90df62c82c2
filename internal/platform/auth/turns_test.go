package auth

import (
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
)

func TestNoMoreAtOnceThanThereAreTurns(t *testing.T) {
	t.Parallel()

	synctest.Test(t, func(t *testing.T) {
		var (
			crowd      sync.WaitGroup
			most, done atomic.Int32
			inside     atomic.Int32
		)

		few := make(turns, 3)

		for range 30 {
			crowd.Go(func() {
				few.take(func() {
					now := inside.Add(1)
					if now > most.Load() {
						most.Store(now)
					}

					<-time.After(time.Second)
					inside.Add(-1)
					done.Add(1)
				})
			})
		}

		began := time.Now()

		crowd.Wait()

		require.EqualValues(t, 3, most.Load())
		require.EqualValues(t, 30, done.Load())
		require.Equal(t, 10*time.Second, time.Since(began))
	})
}

// While all turns are taken, no password is hashed or compared.
func TestPasswordsAreHashedInTurn(t *testing.T) { //nolint:paralleltest // it takes all turns of the process
	for range cap(hashing) {
		hashing <- struct{}{}
	}

	hashed, compared := make(chan string), make(chan bool)

	go func() { hashed <- HashPassword("correct horse") }()
	go func() { compared <- PasswordMatches(Decoy, "correct horse") }()

	select {
	case <-hashed:
		t.Fatal("hashed without a turn")
	case <-compared:
		t.Fatal("compared without a turn")
	case <-time.After(200 * time.Millisecond): // several times as long as one hash takes
	}

	for range cap(hashing) {
		<-hashing
	}

	require.True(t, PasswordMatches(<-hashed, "correct horse"))
	require.False(t, <-compared)
}
