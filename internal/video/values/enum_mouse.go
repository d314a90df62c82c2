package values

// MouseEventType is the type of a mouse event.
type MouseEventType string

// The values of MouseEventType.
const (
	MouseEventTypeMove  MouseEventType = "move"
	MouseEventTypeClick MouseEventType = "click"
)

// Values returns every MouseEventType as it is stored and sent.
func (MouseEventType) Values() []string { return values(MouseEventTypeMove, MouseEventTypeClick) }
