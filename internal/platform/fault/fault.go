// Package fault holds the one error the public may see: a code of the contract, a sentence, and
// nothing of what went wrong inside. Everything that is not a fault becomes ServerError at the edge.
package fault

import (
	"errors"
	"strings"
	"time"
)

// Code is the machine-readable error code of the contract.
type Code string

// The closed list of codes.
const (
	BadRequestCode     Code = "bad_request"
	UnauthorizedCode   Code = "unauthorized"
	ForbiddenCode      Code = "forbidden"
	NotFoundCode       Code = "not_found"
	ConflictCode       Code = "conflict"
	EditConflictCode   Code = "edit_conflict"
	RateLimitedCode    Code = "rate_limited"
	ServerErrorCode    Code = "server_error"
	NotImplementedCode Code = "not_implemented"
	UnavailableCode    Code = "unavailable"
)

// Field is one thing wrong with a request: where, and which rule it breaks.
type Field struct {
	Path string // JSON path such as cuts[2].fromMs; empty for the body as a whole
	Rule string // the end of a sentence, such as "must be at least 0"
	// Of are the properties that a rule among several is about, as package input uses it; nil may be all.
	Of []string
}

// String returns the field's fault as a phrase.
func (f Field) String() string {
	switch {
	case f.Path != "":
		return f.Path + " " + f.Rule
	case strings.HasPrefix(f.Rule, "must "):
		return "the request " + f.Rule
	default: // it has a subject of its own
		return f.Rule
	}
}

// Error is what a caller of the API may be told. The zero value is not valid: use a constructor.
type Error struct {
	Code    Code
	Message string
	// RetryAfter is sent as Retry-After when it is above zero, rounded up to whole seconds.
	RetryAfter time.Duration
	// Fields are the faults the message was made of, for BadRequest only.
	Fields []Field
	// Cause goes to the log and never to the caller.
	Cause error
}

// Error returns the public sentence.
func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Unwrap returns the private cause.
func (e *Error) Unwrap() error { return e.Cause }

// Because returns a copy that carries the private cause for the log.
func (e *Error) Because(cause error) *Error {
	with := *e
	with.Cause = cause

	return &with
}

// Saying returns a copy with another message.
func (e *Error) Saying(message string) *Error {
	with := *e
	with.Message = message

	return &with
}

// As returns the fault in an error's chain, if there is one.
func As(err error) (*Error, bool) {
	var e *Error
	ok := errors.As(err, &e)

	return e, ok
}

// Is reports whether the error carries the code.
func Is(err error, code Code) bool {
	e, ok := As(err)

	return ok && e.Code == code
}

// BadRequest says that the request itself is wrong: 400.
func BadRequest(message string) *Error {
	return &Error{Code: BadRequestCode, Message: message}
}

// Invalid reports all faults of a request together, or nil when there are none: 400.
func Invalid(fields []Field) *Error {
	if len(fields) == 0 {
		return nil
	}

	phrases := make([]string, len(fields))
	for i, f := range fields {
		phrases[i] = f.String()
	}

	message := strings.Join(phrases, "; ")
	if !strings.HasSuffix(message, "?") {
		message += "."
	}

	return &Error{Code: BadRequestCode, Message: message, Fields: fields}
}

// Unauthorized has one wording for every reason, so that nobody learns which keys exist: 401.
func Unauthorized() *Error {
	return &Error{Code: UnauthorizedCode, Message: "A valid API key is required: Authorization: Bearer <API_KEY>."}
}

// WrongPassword has one wording for every reason, so that nobody learns which accounts exist: 401.
func WrongPassword() *Error {
	return &Error{Code: UnauthorizedCode, Message: "The e-mail address or the password is wrong."}
}

// Forbidden says that the caller sees the thing and may not do this to it: 403.
func Forbidden(message string) *Error {
	return &Error{Code: ForbiddenCode, Message: message}
}

// NotFound says that there is no such thing, or none the caller may know of: 404.
func NotFound(what string) *Error {
	return &Error{Code: NotFoundCode, Message: "No such " + what + "."}
}

// Conflict says that the request does not fit the state of the thing: 409.
func Conflict(message string) *Error {
	return &Error{Code: ConflictCode, Message: message}
}

// EditConflict says that somebody else edited the thing first, and nothing was changed: 409.
func EditConflict() *Error {
	return &Error{
		Code:    EditConflictCode,
		Message: "The video has been edited since the revision this request names. Read it again and repeat.",
	}
}

// RateLimited says when the caller may come back: 429.
func RateLimited(after time.Duration) *Error {
	return &Error{
		Code:       RateLimitedCode,
		Message:    "The rate limit is exceeded. Retry-After says when to come back.",
		RetryAfter: max(after, time.Second),
	}
}

// NotImplemented says that this kind of thing has no such operation: 501.
func NotImplemented(message string) *Error {
	return &Error{Code: NotImplementedCode, Message: message}
}

// Unavailable promises that nothing was executed: the request is safe to send again: 503.
func Unavailable(after time.Duration) *Error {
	return &Error{
		Code:       UnavailableCode,
		Message:    "A dependency is unavailable and the request was not executed. It is safe to send it again.",
		RetryAfter: max(after, time.Second),
	}
}

// ServerError is the fixed sentence for everything unforeseen; the cause goes to the log: 500.
func ServerError(cause error) *Error {
	return &Error{
		Code:    ServerErrorCode,
		Message: "Something went wrong on our side. The X-Request-Id of this answer helps us find it.",
		Cause:   cause,
	}
}
