package probe

import (
	"errors"
	"io"

	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/video/mouse"
)

// probeMouse validates a file of kind mouse. Its duration is the time of its last event.
func probeMouse(r io.Reader, info Info) (Info, error) {
	events, err := ReadMouse(r)
	if err != nil {
		return Info{}, err
	}

	info.MouseEvents = len(events)
	info.DurationMs = events[len(events)-1].TimeMs

	return info, nil
}

// ReadMouse reads mouse events with mouse.Read. An invalid file is a *Refused.
func ReadMouse(r io.Reader) ([]mouse.Event, error) {
	events, err := mouse.Read(r)

	switch fault, isFault := errors.AsType[*mouse.FaultError](err); {
	case isFault:
		return nil, ffmpeg.Refuse(ffmpeg.CodeMouseEvents, "%s", fault.Error())
	case errors.Is(err, mouse.ErrEmpty):
		return nil, ffmpeg.Refuse(ffmpeg.CodeEmpty, "The file is empty.")
	default:
		return events, err
	}
}
