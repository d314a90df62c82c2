package router

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
	"github.com/reelgraph/reelgraph/rest/shape"
)

// Errors writes error responses of the contract. Write is the middleware.RefuseFunc of every REST handler.
type Errors struct {
	BaseURL string // without a trailing slash
	// Classify returns the public error for an error that is not a fault, such as ent's not found. It returns nil for
	// unknown errors.
	Classify func(err error) *fault.Error
	Log      *slog.Logger
}

// ErrorBody is the body of an error response. The API contract allows exactly these three fields.
type ErrorBody struct {
	Error   fault.Code `json:"error"`
	Message string     `json:"message"`
	DocsURL string     `json:"docsUrl"`
}

// Statuses maps error codes to HTTP statuses.
var Statuses = map[fault.Code]int{
	fault.BadRequestCode:     http.StatusBadRequest,
	fault.UnauthorizedCode:   http.StatusUnauthorized,
	fault.ForbiddenCode:      http.StatusForbidden,
	fault.NotFoundCode:       http.StatusNotFound,
	fault.ConflictCode:       http.StatusConflict,
	fault.EditConflictCode:   http.StatusConflict,
	fault.RateLimitedCode:    http.StatusTooManyRequests,
	fault.ServerErrorCode:    http.StatusInternalServerError,
	fault.NotImplementedCode: http.StatusNotImplemented,
	fault.UnavailableCode:    http.StatusServiceUnavailable,
}

// Write responds with the public part of err and writes the other parts to the log.
func (e Errors) Write(w http.ResponseWriter, r *http.Request, err error) {
	status, f := e.translate(err)
	e.log(r.Context(), status, f, err)

	// Encoding three strings cannot fail.
	body, _ := shape.Encode(ErrorBody{Error: f.Code, Message: f.Message, DocsURL: e.BaseURL + "/docs/errors#" + string(f.Code)})

	h := w.Header()
	for _, name := range []string{"Content-Encoding", "Content-Disposition", "Etag", "ETag", "Last-Modified", "Location"} {
		delete(h, name) // headers of the response that failed
	}

	h.Set("Cache-Control", "no-store")

	if status == http.StatusUnauthorized {
		h["WWW-Authenticate"] = []string{"Bearer"}
	}

	if after := retryAfter(status, f.RetryAfter); after > 0 {
		h.Set("Retry-After", strconv.FormatInt(after, 10))
	}

	writeJSON(w, status, body)
}

func (e Errors) translate(err error) (int, *fault.Error) {
	if refusal, ok := errors.AsType[*middleware.RefusalError](err); ok {
		return refusal.Status, refusal.Fault
	}

	f, ok := fault.As(err)
	if !ok && e.Classify != nil {
		f = e.Classify(err)
	}

	if f == nil {
		f = fault.ServerError(err)
	}

	status, known := Statuses[f.Code]
	if !known {
		return http.StatusInternalServerError, fault.ServerError(err)
	}

	return status, f
}

func (e Errors) log(ctx context.Context, status int, f *fault.Error, err error) {
	level := slog.LevelDebug

	switch {
	case errors.Is(err, context.Canceled) && ctx.Err() != nil: // the client is gone
	case status == http.StatusServiceUnavailable:
		level = slog.LevelWarn
	case status >= http.StatusInternalServerError && status != http.StatusNotImplemented:
		level = slog.LevelError
	}

	if !e.Log.Enabled(ctx, level) {
		return
	}

	e.Log.Log(ctx, level, "request failed",
		"requestId", middleware.RequestID(ctx), "status", status, "error", err, "cause", f.Cause)
}

// retryAfter returns the header's value in whole seconds, or 0 for no header. 429 and 503 always have one.
func retryAfter(status int, after time.Duration) int64 {
	seconds := int64((after + time.Second - 1) / time.Second)

	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		return max(1, seconds)
	}

	return seconds
}
