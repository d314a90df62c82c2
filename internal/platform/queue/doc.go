// Package queue runs River, a job queue, on the database handle that the rest of the program uses, so that a job can
// be inserted in the transaction of the change that causes it. It listens through pgx, so that a job starts
// milliseconds after its commit. It adds what River lacks: it restarts jobs whose process died, shares the places of
// a queue fairly among workspaces, and limits across all nodes how many operations on one thing run at once.
package queue
