// Package queue runs River on the same database handle as everything else, so that a job can be inserted in
// the transaction of its cause. It listens through pgx, so that a job starts milliseconds after its commit.
// It adds what River lacks: rescue of jobs whose process died, queue places that are shared fairly among
// workspaces, and slots that limit across all nodes how much runs at once for one thing.
package queue
