package values

// MouseEventType is the type of a mouse event.
type MouseEventType string

// The values of MouseEventType.
const (
	MouseEventTypeMove  MouseEventType = "move"
	MouseEventTypeClick MouseEventType = "click"
)

// Values lists every MouseEventType, as stored and as on the wire.
func (MouseEventType) Values() []string { return values(MouseEventTypeMove, MouseEventTypeClick) }
