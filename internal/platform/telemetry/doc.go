// Package telemetry sends traces, and the metrics of /metrics, to a collector that accepts OTLP over HTTP. It is off
// unless it is configured, and costs nothing when it is off.
package telemetry
