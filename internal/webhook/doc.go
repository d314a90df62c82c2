// Package webhook contains the parts that deliver webhooks: Send signs and makes one delivery attempt, Next returns
// when to retry, and Service registers endpoints. Package webhook/event defines the bodies. Package workers/deliver
// decides when to send which message. It calls Send, stores the outcome, and disables endpoints that keep failing.
package webhook
