// Package system tells operators how the server is: its version, its queues, what it stores, its disk, and what the checks
// of `reelgraph doctor` find. Start with Service.System, which checks the rights of the caller.
package system
