// Package webhook signs and sends one attempt of a delivery (Send), says when to retry it (Next), and registers endpoints
// (Service). The bodies are in webhook/event. Package workers/deliver decides what to send when: it calls Send, records
// the outcome and disables endpoints that keep failing.
package webhook
