package values

// LayoutKind is the arrangement of a clip's layers.
type LayoutKind string

// The values of LayoutKind.
const (
	LayoutKindFullscreen   LayoutKind = "fullscreen"
	LayoutKindMiddle       LayoutKind = "middle"
	LayoutKindSideBySide   LayoutKind = "side-by-side"
	LayoutKindTvPresenter  LayoutKind = "tv-presenter"
	LayoutKindCameraBubble LayoutKind = "camera-bubble"
	LayoutKindCameraOnly   LayoutKind = "camera-only"
	LayoutKindScreenOnly   LayoutKind = "screen-only"
	LayoutKindBRoll        LayoutKind = "b-roll"
)

// Values returns every LayoutKind as it is stored and sent.
func (LayoutKind) Values() []string {
	return values(LayoutKindFullscreen, LayoutKindMiddle, LayoutKindSideBySide, LayoutKindTvPresenter, LayoutKindCameraBubble, LayoutKindCameraOnly, LayoutKindScreenOnly, LayoutKindBRoll)
}

// LayoutTransition is the transition into a layout.
type LayoutTransition string

// The values of LayoutTransition.
const (
	LayoutTransitionSpring  LayoutTransition = "spring"
	LayoutTransitionHardCut LayoutTransition = "hardCut"
)

// Values returns every LayoutTransition as it is stored and sent.
func (LayoutTransition) Values() []string {
	return values(LayoutTransitionSpring, LayoutTransitionHardCut)
}

// ZoomType says how a zoom finds its focus.
type ZoomType string

// The values of ZoomType.
const (
	ZoomTypeManualZoom   ZoomType = "manualZoom"
	ZoomTypeTrackingZoom ZoomType = "trackingZoom"
)

// Values returns every ZoomType as it is stored and sent.
func (ZoomType) Values() []string {
	return values(ZoomTypeManualZoom, ZoomTypeTrackingZoom)
}

// TextAlign is the alignment of text lines in their box.
type TextAlign string

// The values of TextAlign.
const (
	TextAlignLeft   TextAlign = "left"
	TextAlignCenter TextAlign = "center"
	TextAlignRight  TextAlign = "right"
)

// Values returns every TextAlign as it is stored and sent.
func (TextAlign) Values() []string {
	return values(TextAlignLeft, TextAlignCenter, TextAlignRight)
}

// TextBackgroundShape is the shape behind a text.
type TextBackgroundShape string

// The values of TextBackgroundShape.
const (
	TextBackgroundShapeNone     TextBackgroundShape = "none"
	TextBackgroundShapeSquare   TextBackgroundShape = "square"
	TextBackgroundShapeRounded  TextBackgroundShape = "rounded"
	TextBackgroundShapePill     TextBackgroundShape = "pill"
	TextBackgroundShapeSquircle TextBackgroundShape = "squircle"
)

// Values returns every TextBackgroundShape as it is stored and sent.
func (TextBackgroundShape) Values() []string {
	return values(TextBackgroundShapeNone, TextBackgroundShapeSquare, TextBackgroundShapeRounded, TextBackgroundShapePill, TextBackgroundShapeSquircle)
}

// MaskType is the effect of a mask on its box: a blur or a highlight.
type MaskType string

// The values of MaskType.
const (
	MaskTypeBlur      MaskType = "blur"
	MaskTypeHighlight MaskType = "highlight"
)

// Values returns every MaskType as it is stored and sent.
func (MaskType) Values() []string {
	return values(MaskTypeBlur, MaskTypeHighlight)
}

// MediaType is the type of media that is shown over a clip or instead of it.
type MediaType string

// The values of MediaType.
const (
	MediaTypeImage MediaType = "image"
	MediaTypeVideo MediaType = "video"
)

// Values returns every MediaType as it is stored and sent.
func (MediaType) Values() []string {
	return values(MediaTypeImage, MediaTypeVideo)
}
