package values

// LayoutSceneType says which layers a clip has. It determines the possible layouts.
type LayoutSceneType string

// The values of LayoutSceneType.
const (
	LayoutSceneTypeBasicSubject  LayoutSceneType = "basicSubject"
	LayoutSceneTypeCameraSubject LayoutSceneType = "cameraSubject"
	LayoutSceneTypeCombi         LayoutSceneType = "combi"
)

// Values returns every LayoutSceneType as it is stored and sent.
func (LayoutSceneType) Values() []string {
	return values(LayoutSceneTypeBasicSubject, LayoutSceneTypeCameraSubject, LayoutSceneTypeCombi)
}

// BorderStyle is the border around a layer. The value "custom" looks like "none", and clients cannot set it
// (model.BorderRule).
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

// Values returns every BorderStyle as it is stored and sent.
func (BorderStyle) Values() []string {
	return values(BorderStyleNone, BorderStyleSubtleShadow, BorderStyleDeepShadow, BorderStyleTransparent, BorderStyleSolidShadowLeft, BorderStyleSolidShadowRight, BorderStyleSnake, BorderStyleCustom)
}

// Animated reports whether the border moves even when the layer does not.
func (b BorderStyle) Animated() bool { return b == BorderStyleSnake }

// Corners is the roundness of the corners of a layer.
type Corners string

// The values of Corners.
const (
	CornersNone     Corners = "none"
	CornersRegular  Corners = "regular"
	CornersSquircle Corners = "squircle"
)

// Values returns every Corners as it is stored and sent.
func (Corners) Values() []string {
	return values(CornersNone, CornersRegular, CornersSquircle)
}

// ClipTransition is the transition from the previous clip. The value "default" means the setting of the video.
type ClipTransition string

// The values of ClipTransition.
const (
	ClipTransitionDefault ClipTransition = "default"
	ClipTransitionSmooth  ClipTransition = "smooth"
	ClipTransitionHardCut ClipTransition = "hard_cut"
)

// Values returns every ClipTransition as it is stored and sent.
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

// Values returns every BackgroundType as it is stored and sent.
func (BackgroundType) Values() []string {
	return values(BackgroundTypeSolid, BackgroundTypeGradient, BackgroundTypeImage, BackgroundTypeVideo, BackgroundTypeShaderGradient)
}
