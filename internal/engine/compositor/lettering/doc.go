// Package lettering finds the fonts of the catalogue on this machine, sets text in them and draws it.
//
// A family that is not installed is replaced by the first of the catalogue that is, and without any by
// whatever font there is. A character that a font does not have is taken from others: emoji from Noto
// Color Emoji, everything else from Noto Sans, DejaVu Sans and the other Noto Sans fonts, in that order.
package lettering
