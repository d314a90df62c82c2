// Package compositor draws pixels: the background, the layers with their corners, shadows and zooms, blurred and
// highlighted areas, overlays, texts, captions and the cursor. Start with New and Painter.Paint.
//
// It draws everything in planar YUV 4:2:0, BT.709, limited range, which decoders deliver and encoders take, so no frame
// is converted on the way. Equal input gives equal bytes, on every run. What does not change between frames is drawn
// once and kept; in the steady state no memory is allocated.
package compositor
