package ffmpeg

import "fmt"

// Code is the machine-readable reason for refusing a file. It becomes the code in the error of a source.
type Code string

// The reasons for refusing a file.
const (
	CodeEmpty       Code = "empty"
	CodeUnsupported Code = "unsupported_format"
	CodeDamaged     Code = "damaged"
	CodeNoVideo     Code = "no_video"
	CodeNoAudio     Code = "no_audio"
	CodeNotAnImage  Code = "not_an_image"
	CodeTooLarge    Code = "too_large"
	CodeTooLong     Code = "too_long"
	CodeMouseEvents Code = "invalid_mouse_events"
)

// Refused reports that a file is not acceptable. This is final: trying again does not help.
type Refused struct { //nolint:errname // it is a verdict on a file, not a fault of the server
	Code    Code
	Message string // whole sentences for the person who sent the file
	Cause   error  // for the log; may be nil
}

// Refuse returns a *Refused with a message for the person who sent the file.
func Refuse(code Code, format string, args ...any) *Refused {
	return &Refused{Code: code, Message: fmt.Sprintf(format, args...)}
}

// WithCause adds a cause, which only the log shows.
func (r *Refused) WithCause(cause error) *Refused {
	r.Cause = cause

	return r
}

// Error returns the message.
func (r *Refused) Error() string { return r.Message }

// Unwrap returns the cause.
func (r *Refused) Unwrap() error { return r.Cause }
