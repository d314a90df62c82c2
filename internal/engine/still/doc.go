// Package still makes pictures and short films of a recording. Film and Stills decode moments of it as raw frames;
// Encode writes raw frames from any origin as JPEG, PNG, WebP, GIF or MP4. Start with Encode.
package still
