// Package webhook makes, signs and sends the service's webhook deliveries: the events and
// the exact bytes of their bodies, the signature, the addresses that may be reached, one
// attempt, and the schedule of attempts. It knows no database and no queue.
package webhook
