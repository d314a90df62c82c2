package values

// LayoutPosition is where a layout puts the camera.
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

// Values lists every LayoutPosition, as stored and as on the wire.
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

// Values lists every LayoutSize, as stored and as on the wire.
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

// Named replaces a former name of a shape by its current name.
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

// Values lists every CameraShape, as stored and as on the wire, including the former names.
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

// Values lists every LayoutStyle, as stored and as on the wire.
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

// Values lists every ScreenFit, as stored and as on the wire.
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

// Values lists every EditingStyle, as stored and as on the wire.
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

// Values lists every ZoomIntensity, as stored and as on the wire.
func (ZoomIntensity) Values() []string {
	return values(ZoomIntensitySlow, ZoomIntensityMedium, ZoomIntensityFast)
}
