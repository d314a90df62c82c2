package values

// LayoutPosition is the position of the camera in a layout.
type LayoutPosition string

// The values of LayoutPosition.
const (
	LayoutPositionLeft        LayoutPosition = "left"
	LayoutPositionRight       LayoutPosition = "right"
	LayoutPositionTop         LayoutPosition = "top"
	LayoutPositionBottom      LayoutPosition = "bottom"
	LayoutPositionTopLeft     LayoutPosition = "top-left"
	LayoutPositionTopRight    LayoutPosition = "top-right"
	LayoutPositionBottomLeft  LayoutPosition = "bottom-left"
	LayoutPositionBottomRight LayoutPosition = "bottom-right"
	LayoutPositionMiddle      LayoutPosition = "middle"
)

// Values returns every LayoutPosition as it is stored and sent.
func (LayoutPosition) Values() []string {
	return values(LayoutPositionLeft, LayoutPositionRight, LayoutPositionTop, LayoutPositionBottom, LayoutPositionTopLeft, LayoutPositionTopRight, LayoutPositionBottomLeft, LayoutPositionBottomRight, LayoutPositionMiddle)
}

// LayoutSize is the size of the main layer of a layout.
type LayoutSize string

// The values of LayoutSize.
const (
	LayoutSizeS LayoutSize = "S"
	LayoutSizeM LayoutSize = "M"
	LayoutSizeL LayoutSize = "L"
)

// Values returns every LayoutSize as it is stored and sent.
func (LayoutSize) Values() []string {
	return values(LayoutSizeS, LayoutSizeM, LayoutSizeL)
}

// CameraShape is the crop shape of the camera.
type CameraShape string

// The values of CameraShape.
const (
	CameraShapeCircle    CameraShape = "circle"
	CameraShapeSquare    CameraShape = "square"
	CameraShapePortrait  CameraShape = "portrait"
	CameraShapeLandscape CameraShape = "landscape"

	// CameraShapeRound and CameraShapeWide are former names of circle and landscape. They are accepted as input but
	// never returned.
	CameraShapeRound CameraShape = "round"
	CameraShapeWide  CameraShape = "wide"
)

// Named returns the current name of a shape that is given by a former name, and any other shape unchanged.
func (s CameraShape) Named() CameraShape {
	switch s {
	case CameraShapeRound:
		return CameraShapeCircle
	case CameraShapeWide:
		return CameraShapeLandscape
	default:
		return s
	}
}

// Values returns every CameraShape as it is stored and sent, including the former names.
func (CameraShape) Values() []string {
	return values(CameraShapeCircle, CameraShapeSquare, CameraShapePortrait, CameraShapeLandscape, CameraShapeRound, CameraShapeWide)
}

// LayoutStyle is the variant of a layout. The allowed values depend on the kind.
type LayoutStyle string

// The values of LayoutStyle.
const (
	LayoutStyleRegular    LayoutStyle = "regular"
	LayoutStyleStretch    LayoutStyle = "stretch"
	LayoutStyleEven       LayoutStyle = "even"
	LayoutStyleOverlap    LayoutStyle = "overlap"
	LayoutStyleFullscreen LayoutStyle = "fullscreen"
	LayoutStyleFramed     LayoutStyle = "framed"
	LayoutStyleFull       LayoutStyle = "full"
	LayoutStyleMiddle     LayoutStyle = "middle"
)

// Values returns every LayoutStyle as it is stored and sent.
func (LayoutStyle) Values() []string {
	return values(LayoutStyleRegular, LayoutStyleStretch, LayoutStyleEven, LayoutStyleOverlap, LayoutStyleFullscreen, LayoutStyleFramed, LayoutStyleFull, LayoutStyleMiddle)
}

// ScreenFit says how a screen fills its box.
type ScreenFit string

// The values of ScreenFit.
const (
	ScreenFitCover     ScreenFit = "cover"
	ScreenFitLetterbox ScreenFit = "letterbox"
	ScreenFitStretch   ScreenFit = "stretch"
)

// Values returns every ScreenFit as it is stored and sent.
func (ScreenFit) Values() []string {
	return values(ScreenFitCover, ScreenFitLetterbox, ScreenFitStretch)
}

// EditingStyle is a predefined set of layouts.
type EditingStyle string

// The values of EditingStyle.
const (
	EditingStyleProductDemoPortrait  EditingStyle = "product-demo-portrait"
	EditingStyleProductDemoRound     EditingStyle = "product-demo-round"
	EditingStyleProductDemoSquare    EditingStyle = "product-demo-square"
	EditingStyleProductDemoWide      EditingStyle = "product-demo-wide"
	EditingStylePresentationTvShow   EditingStyle = "presentation-tv-show"
	EditingStylePresentationPortrait EditingStyle = "presentation-portrait"
	EditingStyleTutorialRound        EditingStyle = "tutorial-round"
	EditingStyleTutorialSquare       EditingStyle = "tutorial-square"
	EditingStyleIntro                EditingStyle = "intro"
	EditingStyleOutro                EditingStyle = "outro"
	EditingStyleIntroAndOutro        EditingStyle = "intro-and-outro"
)

// Values returns every EditingStyle as it is stored and sent.
func (EditingStyle) Values() []string {
	return values(EditingStyleProductDemoPortrait, EditingStyleProductDemoRound, EditingStyleProductDemoSquare, EditingStyleProductDemoWide, EditingStylePresentationTvShow, EditingStylePresentationPortrait, EditingStyleTutorialRound, EditingStyleTutorialSquare, EditingStyleIntro, EditingStyleOutro, EditingStyleIntroAndOutro)
}

// ZoomIntensity says how long an automatic zoom stays after a click.
type ZoomIntensity string

// The values of ZoomIntensity.
const (
	ZoomIntensitySlow   ZoomIntensity = "slow"
	ZoomIntensityMedium ZoomIntensity = "medium"
	ZoomIntensityFast   ZoomIntensity = "fast"
)

// Values returns every ZoomIntensity as it is stored and sent.
func (ZoomIntensity) Values() []string {
	return values(ZoomIntensitySlow, ZoomIntensityMedium, ZoomIntensityFast)
}
