// Package webhook sends one delivery attempt and signs it (Send), returns when to retry it (Next), and registers
// endpoints (Service). Package webhook/event defines the bodies. Package workers/deliver decides when to send which
// message: it calls Send, stores the outcome, and disables endpoints that keep failing.
package webhook
