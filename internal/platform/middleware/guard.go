package middleware

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// RefuseFunc answers a request with an error in the contract's shape. Package rest has one.
type RefuseFunc func(w http.ResponseWriter, r *http.Request, err error)

// Guard turns a panic into an answer: 500 with a fixed sentence, its headers intact and its cause in
// the log only. An answer that has begun is cut off instead, so that nobody takes it for whole.
// It also puts the Writer in place that BeforeHeader needs, and bounds with Patience how long a client
// may take over the body of its request and over its answer.
func Guard(log *slog.Logger, refuse RefuseFunc) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			own := &Writer{ResponseWriter: w, control: http.NewResponseController(w)}
			own.conn, _ = r.Context().Value(connKey{}).(*conn)

			if r.Body != nil && r.Body != http.NoBody {
				own.body = &patientBody{ReadCloser: r.Body, control: own.control, asks: r.Header.Get("Expect") != ""}
				r = r.WithContext(r.Context()) // the server knows its own body, and what to do with the rest of it
				r.Body = own.body
			}

			defer func() {
				if cause := recover(); cause != nil {
					recovered(log, refuse, own, r, cause)
				}
			}()

			next.ServeHTTP(own, r)

			if !own.begun && !own.hijacked {
				own.WriteHeader(http.StatusOK)
			}
		})
	}
}

func recovered(log *slog.Logger, refuse RefuseFunc, w *Writer, r *http.Request, cause any) {
	if cause == http.ErrAbortHandler { //nolint:errorlint,err113 // a recovered value, not an error chain
		panic(cause)
	}

	log.ErrorContext(r.Context(), "panic in a request",
		"requestId", RequestID(r.Context()), "method", r.Method, "path", r.URL.Path,
		"panic", fmt.Sprint(cause), "stack", string(debug.Stack()))

	if w.begun || w.hijacked {
		panic(http.ErrAbortHandler)
	}

	refuse(w, r, fault.ServerError(nil))
}
