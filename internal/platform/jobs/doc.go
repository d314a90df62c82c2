// Package jobs names the jobs and puts them into the queue, in the transaction of their cause:
// a row, its event and its job are committed together or not at all. It does no work itself.
package jobs
