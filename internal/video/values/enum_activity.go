package values

// ActivityKind is what happened around a video.
type ActivityKind string

// The values of ActivityKind.
const (
	ActivityKindComment   ActivityKind = "comment"
	ActivityKindFirstView ActivityKind = "first_view"
)

// Values returns every ActivityKind as it is stored and sent.
func (ActivityKind) Values() []string { return values(ActivityKindComment, ActivityKindFirstView) }
