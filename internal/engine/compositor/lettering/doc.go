// Package lettering finds the fonts of the catalog on this machine, lays out text with them and draws it. Start with
// Load.
//
// A font family that is not installed is replaced by the first family of the catalog that is installed. If no family
// of the catalog is installed, any installed font replaces it. Characters that a font does not have are drawn with
// other fonts: emoji with Noto Color Emoji, all others with Noto Sans, DejaVu Sans and the other Noto Sans fonts, in
// that order.
package lettering
