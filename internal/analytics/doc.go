// Package playback receives what players report: who watches which part of a video. A report is committed
// before it is acknowledged, and one that comes twice counts once. No address of a viewer is ever stored,
// and whoever asks not to be tracked counts without country and referrer.
package analytics
