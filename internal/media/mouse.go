package media

import (
	"errors"
	"io"

	"github.com/reelgraph/reelgraph/internal/pointer"
)

// probeMouse validates a file of kind mouse; it lasts until its last event.
func probeMouse(r io.Reader, info Info) (Info, error) {
	events, err := ReadMouse(r)
	if err != nil {
		return Info{}, err
	}

	info.MouseEvents = len(events)
	info.DurationMs = events[len(events)-1].TimeMs

	return info, nil
}

// ReadMouse reads mouse events as package pointer does. What is wrong with the file is a *Refused.
func ReadMouse(r io.Reader) ([]pointer.Event, error) {
	events, err := pointer.Read(r)

	switch fault, isFault := errors.AsType[*pointer.FaultError](err); {
	case isFault:
		return nil, refuse(CodeMouseEvents, "%s", fault.Error())
	case errors.Is(err, pointer.ErrEmpty):
		return nil, refuse(CodeEmpty, "The file is empty.")
	default:
		return events, err
	}
}
