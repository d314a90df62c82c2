package compositor

import "sync"

// parallel does n pieces of work in parallel and waits for all. It allocates, so use it for work of milliseconds.
func parallel(n int, do func(i int)) {
	var all sync.WaitGroup

	for i := 1; i < n; i++ {
		all.Go(func() { do(i) })
	}

	do(0)
	all.Wait()
}
