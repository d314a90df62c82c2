// Package analytics receives what players report, turns it into figures and answers them. A report is committed
// before it is acknowledged, and one that comes twice counts once. No address of a viewer is ever stored,
// and a viewer who asks not to be tracked counts without country and referrer. Start with Server for reports, with Session for
// what one session has played, and with VideoAnalytics for what is answered.
package analytics
