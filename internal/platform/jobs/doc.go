// Package jobs defines the background jobs and inserts them in the transaction of their cause: a row, its
// event and its job are committed together or not at all. Package workers does their work.
package jobs
