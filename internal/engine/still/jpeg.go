package still

import (
	"context"
	"fmt"
	"strings"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/engine/probe"
	"github.com/reelgraph/reelgraph/internal/video/plan"
)

// SaveJPEG writes the picture of a probed image file as a new JPEG without metadata. most is the maximum width and
// height of the JPEG in pixels; a larger picture is scaled down. For a file that cannot be decoded SaveJPEG returns
// *ffmpeg.Refused.
func SaveJPEG(ctx context.Context, t ffmpeg.Tools, path string, info probe.Info, most int, to string) error {
	mended := plan.Mended{Orientation: info.Video.Orientation}
	args := append(info.PictureInput(path, "-threads", "1"),
		"-map", fmt.Sprintf("0:%d", info.VideoStream()), "-frames:v", "1",
		"-vf", strings.Join(append(mended.Filters(), fmt.Sprintf(
			"scale='min(iw,%[1]d)':'min(ih,%[1]d)':force_original_aspect_ratio=decrease:force_divisible_by=2,"+
				"format=yuvj420p", most)), ","),
		"-map_metadata", "-1", probe.VideoCodec, "mjpeg", "-q:v", "3", "-f", "image2", "-update", "1", "-y", "file:"+to)

	return probe.Verdict(ctx, info.Format, t.Run(ctx, ffmpeg.Command{Args: args, Limits: probe.Limits()}))
}
