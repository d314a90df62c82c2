// Package telemetry sends traces, and the figures of /metrics, to a collector that speaks OTLP over HTTP.
// It is off unless it is told where to, and then costs nothing: nothing is wrapped.
package telemetry
