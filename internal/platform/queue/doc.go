// Package queue runs River on the same database handle as everything else, so that a job can
// be inserted in the transaction of its cause. It listens through pgx, so that a job starts
// milliseconds after its commit, and adds what River leaves open: the rescue of jobs whose
// process died; places that are shared fairly among workspaces; and slots, which bound across
// all nodes how much runs at once for one thing.
package queue
