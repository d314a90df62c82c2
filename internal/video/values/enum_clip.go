package values

// LayoutSceneType says which layers a clip has. It determines the possible layouts.
type LayoutSceneType string

// The values of LayoutSceneType.
const (
	LayoutSceneTypeBasicSubject  LayoutSceneType = "basicSubject"
	LayoutSceneTypeCameraSubject LayoutSceneType = "cameraSubject"
	LayoutSceneTypeCombi         LayoutSceneType = "combi"
)

// Values lists every LayoutSceneType, as stored and as on the wire.
func (LayoutSceneType) Values() []string {
	return values(LayoutSceneTypeBasicSubject, LayoutSceneTypeCameraSubject, LayoutSceneTypeCombi)
}

// BorderStyle is the border around a layer. Clients cannot set the value custom (model.BorderRule); it is drawn as none.
type BorderStyle string

// The values of BorderStyle.
const (
	BorderStyleNone             BorderStyle = "none"
	BorderStyleSubtleShadow     BorderStyle = "subtle-shadow"
	BorderStyleDeepShadow       BorderStyle = "deep-shadow"
	BorderStyleTransparent      BorderStyle = "transparent"
	BorderStyleSolidShadowLeft  BorderStyle = "solid-shadow-left"
	BorderStyleSolidShadowRight BorderStyle = "solid-shadow-right"
	BorderStyleSnake            BorderStyle = "snake"
	BorderStyleCustom           BorderStyle = "custom"
)

// Values lists every BorderStyle, as stored and as on the wire.
func (BorderStyle) Values() []string {
	return values(BorderStyleNone, BorderStyleSubtleShadow, BorderStyleDeepShadow, BorderStyleTransparent, BorderStyleSolidShadowLeft, BorderStyleSolidShadowRight, BorderStyleSnake, BorderStyleCustom)
}

// Animated reports whether the border changes while the layer stands still.
func (b BorderStyle) Animated() bool { return b == BorderStyleSnake }

// Corners is the roundness of the corners of a layer.
type Corners string

// The values of Corners.
const (
	CornersNone     Corners = "none"
	CornersRegular  Corners = "regular"
	CornersSquircle Corners = "squircle"
)

// Values lists every Corners, as stored and as on the wire.
func (Corners) Values() []string {
	return values(CornersNone, CornersRegular, CornersSquircle)
}

// ClipTransition is the transition from the previous clip. The value default uses the setting of the video.
type ClipTransition string

// The values of ClipTransition.
const (
	ClipTransitionDefault ClipTransition = "default"
	ClipTransitionSmooth  ClipTransition = "smooth"
	ClipTransitionHardCut ClipTransition = "hard_cut"
)

// Values lists every ClipTransition, as stored and as on the wire.
func (ClipTransition) Values() []string {
	return values(ClipTransitionDefault, ClipTransitionSmooth, ClipTransitionHardCut)
}

// BackgroundType is the type of background behind the layers.
type BackgroundType string

// The values of BackgroundType.
const (
	BackgroundTypeSolid          BackgroundType = "solid"
	BackgroundTypeGradient       BackgroundType = "gradient"
	BackgroundTypeImage          BackgroundType = "image"
	BackgroundTypeVideo          BackgroundType = "video"
	BackgroundTypeShaderGradient BackgroundType = "shaderGradient"
)

// Values lists every BackgroundType, as stored and as on the wire.
func (BackgroundType) Values() []string {
	return values(BackgroundTypeSolid, BackgroundTypeGradient, BackgroundTypeImage, BackgroundTypeVideo, BackgroundTypeShaderGradient)
}
