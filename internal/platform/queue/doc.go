// Package queue runs River, a job queue, on the database handle that the rest of the program uses, so that a job can
// be inserted in the transaction of the change that causes it. It listens through pgx, so that a job starts
// milliseconds after its commit. It adds three things that River lacks. It restarts jobs whose process died. It shares
// the places (job slots) of a queue fairly among workspaces. It limits across all nodes how many operations on one
// thing run at once.
package queue
