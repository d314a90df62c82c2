package middleware

import (
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// RefuseFunc writes an error in the format of the API contract. Package rest has one.
type RefuseFunc func(w http.ResponseWriter, r *http.Request, err error)

// Guard answers a request whose handler panics with a 500 response and a fixed message. The headers stay, and the
// cause appears only in the log. If the response has already begun, Guard closes the connection instead, so that the
// response cannot look complete. Guard also installs the Writer that BeforeHeader needs. A client that takes longer
// than Patience to send the request body or to read the response is disconnected.
func Guard(log *slog.Logger, refuse RefuseFunc) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			own := &Writer{ResponseWriter: w, control: http.NewResponseController(w)}
			own.conn, _ = r.Context().Value(connKey{}).(*conn)

			if r.Body != nil && r.Body != http.NoBody {
				own.body = &patientBody{ReadCloser: r.Body, control: own.control, asks: r.Header.Get("Expect") != ""}
				r = r.WithContext(r.Context()) // the server must see its own body type to handle what is left unread
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
