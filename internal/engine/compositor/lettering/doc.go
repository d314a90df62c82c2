// Package lettering finds the fonts of the catalog on this machine, sets text in them and draws it. Start with Load.
//
// A family that is not installed is replaced by the first one of the catalog that is, and without any by any font there
// is. A character that a font lacks is taken from other fonts: emoji from Noto Color Emoji, everything else from Noto
// Sans, DejaVu Sans and the other Noto Sans fonts, in that order.
package lettering
