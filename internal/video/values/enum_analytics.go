package values

// AnalyticsScope selects the videos that analytics cover.
type AnalyticsScope string

// The values of AnalyticsScope.
const (
	AnalyticsScopeWorkspace AnalyticsScope = "workspace"
	AnalyticsScopeMine      AnalyticsScope = "mine"
)

// Values lists every AnalyticsScope, as stored and as on the wire.
func (AnalyticsScope) Values() []string { return values(AnalyticsScopeWorkspace, AnalyticsScopeMine) }
