package main

import (
	"context"
	"embed"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/reelgraph/reelgraph/bench/measure"
)

// The boxes of the picture in picture as the engine lays it out: the screen within the padding, the camera in the
// corner.
const (
	peerSeconds = 20
	screenBox   = "96/54:1728x972"
	cameraBox   = "1569/729:324x324"
)

// overlay draws the picture in picture with one FFmpeg, with filters that choose their number of threads.
func overlay(ctx context.Context, l *lab, folder string) (sample, error) {
	drawn := fmt.Sprintf("color=black:s=%dx%d:r=%d[plate];", width, height, fps) +
		"[0:v]scale=1728:972[screen];[1:v]crop=ih:ih,scale=324:324[camera];[plate][screen]overlay=96:54:shortest=1[both];" +
		"[both][camera]overlay=1568:728,format=yuv420p[picture];[0:a][1:a]amix=2[sound]"

	return l.plain(ctx, folder, peerSeconds*fps, "-i", l.sources["screen"].Path, "-i", l.sources["camera"].Path,
		"-filter_complex", drawn, "-map", "[picture]", "-map", "[sound]")
}

// melt draws the picture in picture with MLT, using one of its two compositing transitions.
func (l *lab) melt(ctx context.Context, folder, transition string) (sample, error) {
	last := fmt.Sprint(peerSeconds*fps - 1)
	place := func(track int, box string) []string {
		if transition == "affine" {
			return []string{
				"-transition", "affine", "a_track=0", fmt.Sprintf("b_track=%d", track),
				"transition.rect=" + box, "transition.fill=1", "transition.distort=0",
			}
		}

		return []string{"-transition", "composite", "a_track=0", fmt.Sprintf("b_track=%d", track), "geometry=" + box}
	}

	args := []string{
		"-profile", "atsc_1080p_30", "color:black", "out=" + last,
		"-track", l.sources["screen"].Path, "out=" + last, "-track", l.sources["camera"].Path, "out=" + last,
	}
	args = append(append(args, place(1, screenBox)...), place(2, cameraBox)...)
	args = append(args, "-transition", "mix", "a_track=1", "b_track=2", "sum=1",
		"-consumer", "avformat:"+filepath.Join(folder, "peer.mp4"),
		"vcodec=libx264", "preset=veryfast", "crf=20", "acodec=aac", "ab=160k", "real_time=-2", "terminate_on_pause=1")

	return timed(ctx, "melt", args...)
}

//go:embed editly
var editlyFiles embed.FS

// installEditly installs editly from npm; two of its packages are compiled.
func (l *lab) installEditly(ctx context.Context) error {
	folder, err := measure.InstallNPM(ctx, "editly", editlyFiles)
	l.editly = filepath.Join(folder, "node_modules", ".bin", "editly")

	return err
}

// drawEditly draws the picture in picture with editly and the same encoder. It needs a display.
func (l *lab) drawEditly(ctx context.Context, folder, screen string) (sample, error) {
	film := func(name string, left, top, across, down float64) map[string]any {
		return map[string]any{
			"type": "video", "path": l.sources[name].Path, "cutFrom": 0, "cutTo": peerSeconds, "resizeMode": "cover",
			"left": left / width, "top": top / height, "width": across / width, "height": down / height,
		}
	}

	said, err := json.Marshal(map[string]any{
		"outPath": filepath.Join(folder, "peer.mp4"), "width": width, "height": height, "fps": fps, "keepSourceAudio": true,
		"customOutputArgs": []string{"-c:v", "libx264", "-preset", "veryfast", "-crf", "20", "-pix_fmt", "yuv420p", "-c:a", "aac"},
		"defaults":         map[string]any{"transition": nil},
		"clips": []any{map[string]any{"duration": peerSeconds, "layers": []any{
			map[string]any{"type": "fill-color", "color": "#000000"},
			film(screen, 96, 54, 1728, 972), film("camera", 1569, 729, 324, 324),
		}}},
	})
	if err != nil {
		return sample{}, fmt.Errorf("write the description: %w", err)
	}

	path := filepath.Join(folder, "film.json")
	if err := os.WriteFile(path, said, 0o600); err != nil {
		return sample{}, fmt.Errorf("write the description: %w", err)
	}

	return timed(ctx, "xvfb-run", "--auto-servernum", l.editly, "--json", path)
}
