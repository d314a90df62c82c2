// Package queue runs River on the same database handle as everything else, so that a job can
// be inserted in the transaction of its cause. It adds what River leaves open on lib/pq: a
// listener, so that a job starts milliseconds after its commit; the rescue of jobs whose
// process died; and slots, which bound across all nodes how much runs at once for one thing.
package queue
