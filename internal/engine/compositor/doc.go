// Package compositor draws pixels: the plate behind the layers, the layers with their corners, shadows
// and zooms, what is hidden and what is lit, overlays, texts, captions and the cursor.
//
// Everything is drawn in planar YUV 4:2:0, BT.709, limited range, which is what decoders deliver and
// encoders take, so that no frame is converted on its way. Equal input gives equal bytes, on every run.
// What stays the same from frame to frame is drawn once and kept; in the steady state no memory is
// allocated.
package compositor
