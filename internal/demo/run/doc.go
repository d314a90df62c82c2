// Package run starts the filling of a workspace with demo videos for its owners, and shows how far it is. The job itself is
// in workers/demo, and what it makes is in internal/demo/story. Start with Service.Fill.
package run
