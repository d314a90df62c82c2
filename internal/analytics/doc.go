// Package analytics receives reports from players, aggregates them and returns the figures. A report is committed
// before it is acknowledged, and a repeated report counts once. No address of a viewer is ever stored. A viewer who
// asks not to be tracked counts without country and referrer. Start with Server for reports, Session for what one
// session played, and VideoAnalytics for the results.
package analytics
