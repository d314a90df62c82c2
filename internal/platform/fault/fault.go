// Package fault defines the only error that clients see: an error code of the API contract and a sentence, without
// internal details. The server converts every other error to ServerError before it answers.
package fault

import (
	"errors"
	"strings"
	"time"
)

// Code is the machine-readable error code of the contract.
type Code string

// The complete list of codes.
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

// Field is one fault of a request: the path of the faulty value and the rule that the value breaks.
type Field struct {
	Path string // JSON path such as cuts[2].fromMs; empty for the body as a whole
	Rule string // the end of a sentence, such as "must be at least 0"
	// Of names the properties that the rule is about; nil means all. Package input uses it.
	Of []string
}

// String returns the fault as a phrase.
func (f Field) String() string {
	switch {
	case f.Path != "":
		return f.Path + " " + f.Rule
	case strings.HasPrefix(f.Rule, "must "):
		return "the request " + f.Rule
	default: // the rule has its own subject
		return f.Rule
	}
}

// Error is an error that a client may see. The zero value is not valid: use a constructor.
type Error struct {
	Code    Code
	Message string
	// RetryAfter is sent as Retry-After if it is above zero, rounded up to whole seconds.
	RetryAfter time.Duration
	// Fields are the faults that the message lists; set by BadRequest only.
	Fields []Field
	// Cause goes to the log and never to the caller.
	Cause error
}

// Error returns the public message.
func (e *Error) Error() string { return string(e.Code) + ": " + e.Message }

// Unwrap returns the private cause.
func (e *Error) Unwrap() error { return e.Cause }

// Because returns a copy with a private cause for the log.
func (e *Error) Because(cause error) *Error {
	with := *e
	with.Cause = cause

	return &with
}

// Saying returns a copy of the error with another message.
func (e *Error) Saying(message string) *Error {
	with := *e
	with.Message = message

	return &with
}

// As returns the *Error in the chain of err. It returns false if the chain has none.
func As(err error) (*Error, bool) {
	var e *Error

	ok := errors.As(err, &e)

	return e, ok
}

// Is reports whether the error is a fault with the code.
func Is(err error, code Code) bool {
	e, ok := As(err)

	return ok && e.Code == code
}

// BadRequest returns the fault for a request that is wrong regardless of the state of the server (HTTP 400).
func BadRequest(message string) *Error {
	return &Error{Code: BadRequestCode, Message: message}
}

// Invalid returns one fault that lists all faulty fields of a request (HTTP 400). It returns nil if fields is empty.
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

// Unauthorized returns the fault for a missing or invalid key (HTTP 401). Its message is always the same, so that
// nobody learns which keys exist.
func Unauthorized() *Error {
	return &Error{Code: UnauthorizedCode, Message: "A valid API key is required: Authorization: Bearer <API_KEY>."}
}

// WrongPassword returns the fault for a failed sign-in (HTTP 401). Its message is always the same, so that nobody
// learns which accounts exist.
func WrongPassword() *Error {
	return &Error{Code: UnauthorizedCode, Message: "The e-mail address or the password is wrong."}
}

// Forbidden returns the fault for a resource that the caller can see but must not change in this way (HTTP 403).
func Forbidden(message string) *Error {
	return &Error{Code: ForbiddenCode, Message: message}
}

// NotFound returns the fault for a resource that does not exist or that the caller cannot see (HTTP 404).
func NotFound(what string) *Error {
	return &Error{Code: NotFoundCode, Message: "No such " + what + "."}
}

// Conflict returns the fault for a request that the state of the resource does not allow (HTTP 409).
func Conflict(message string) *Error {
	return &Error{Code: ConflictCode, Message: message}
}

// EditConflict returns the fault for an edit that is based on an old revision (HTTP 409). Nothing was changed.
func EditConflict() *Error {
	return &Error{
		Code:    EditConflictCode,
		Message: "The video has been edited since the revision that this request names. Read the video again, then repeat the request.",
	}
}

// RateLimited returns the fault for an exceeded rate limit (HTTP 429). The client must wait for the duration after.
func RateLimited(after time.Duration) *Error {
	return &Error{
		Code:       RateLimitedCode,
		Message:    "The rate limit is exceeded. Wait for the time given in Retry-After.",
		RetryAfter: max(after, time.Second),
	}
}

// NotImplemented returns the fault for an operation that is not available for this kind of resource (HTTP 501).
func NotImplemented(message string) *Error {
	return &Error{Code: NotImplementedCode, Message: message}
}

// Unavailable returns the fault for an unavailable dependency (HTTP 503). It promises that nothing was executed, so
// that the client may repeat the request.
func Unavailable(after time.Duration) *Error {
	return &Error{
		Code:       UnavailableCode,
		Message:    "A dependency is unavailable and the request was not executed. Repeat it later.",
		RetryAfter: max(after, time.Second),
	}
}

// ServerError returns the fault for every unforeseen error (HTTP 500). Its message is fixed; the cause goes to the
// log.
func ServerError(cause error) *Error {
	return &Error{
		Code:    ServerErrorCode,
		Message: "Something went wrong on our side. Report the X-Request-Id of this response to the operator.",
		Cause:   cause,
	}
}
