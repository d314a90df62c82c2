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

// Errors answers requests with the error body of the contract. Its Write is the middleware.RefuseFunc of
// every handler that speaks REST.
type Errors struct {
	BaseURL string // without a slash at its end
	// Classify is what the graph makes of an error that is no fault, such as ent's not found; it
	// returns nil for what nobody foresaw.
	Classify func(err error) *fault.Error
	Log      *slog.Logger
}

// ErrorBody has exactly the three fields of the contract.
type ErrorBody struct {
	Error   fault.Code `json:"error"`
	Message string     `json:"message"`
	DocsURL string     `json:"docsUrl"`
}

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

// Write answers with what the caller may know of err and logs the rest.
func (e Errors) Write(w http.ResponseWriter, r *http.Request, err error) {
	status, f := e.translate(err)
	e.log(r.Context(), status, f, err)

	// A fault cannot fail to encode: it is three strings.
	body, _ := shape.Encode(ErrorBody{Error: f.Code, Message: f.Message, DocsURL: e.BaseURL + "/docs/errors#" + string(f.Code)})

	h := w.Header()
	for _, name := range []string{"Content-Encoding", "Content-Disposition", "Etag", "ETag", "Last-Modified", "Location"} {
		delete(h, name) // of the answer that it did not become
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
	case errors.Is(err, context.Canceled) && ctx.Err() != nil: // the caller went away
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

// retryAfter is the header's value in whole seconds, 0 for none: 429 and 503 always have one.
func retryAfter(status int, after time.Duration) int64 {
	seconds := int64((after + time.Second - 1) / time.Second)

	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		return max(1, seconds)
	}

	return seconds
}
