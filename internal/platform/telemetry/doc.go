// Package telemetry sends traces and the metrics of /metrics to a collector that speaks OTLP over HTTP. It is
// off unless configured, and then costs nothing.
package telemetry
