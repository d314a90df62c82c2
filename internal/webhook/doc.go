// Package webhook builds, signs and sends webhook deliveries: the events and their bodies, the signature, the allowed
// addresses, a single attempt and the retry schedule. Service registers endpoints and reads their deliveries.
package webhook
