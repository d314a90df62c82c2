// Package jobs defines the background jobs. It inserts each job in the transaction of the change that causes it, so
// that a row, its event and its job are committed together or not at all. Package workers executes the jobs.
package jobs
