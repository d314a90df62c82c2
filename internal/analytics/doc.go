// Package analytics receives reports from players, aggregates them and returns view figures. A report is committed
// before it is acknowledged, and a repeated report counts once. The addresses of viewers are never stored. For a
// viewer who asks not to be tracked, country and referrer are not counted. Start with Server for the reports, Session
// for the activity of one session, and VideoAnalytics for the results.
package analytics
