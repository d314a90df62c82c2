package values

// AnalyticsScope selects the videos that analytics cover.
type AnalyticsScope string

// The values of AnalyticsScope.
const (
	AnalyticsScopeWorkspace AnalyticsScope = "workspace"
	AnalyticsScopeMine      AnalyticsScope = "mine"
)

// Values returns every AnalyticsScope as it is stored and sent.
func (AnalyticsScope) Values() []string { return values(AnalyticsScopeWorkspace, AnalyticsScopeMine) }
