// Package compositor draws pixels: the background, the layers with their corners, shadows and zooms, blurred and
// highlighted areas, overlays, texts, captions and the cursor. Start with New and Painter.Paint.
//
// It draws everything in planar YUV 4:2:0, BT.709, limited range. Decoders output this format and encoders accept it,
// so frames need no conversion. Equal input gives equal bytes on every run. The parts that do not change between
// frames are drawn once and kept. After the first frames, painting allocates no memory.
package compositor
