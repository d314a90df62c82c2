package telemetry_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/reelgraph/reelgraph/internal/platform/telemetry"
)

// BenchmarkOff measures the cost of telemetry that is off: the handler is unchanged, and each statement costs one
// context lookup.
func BenchmarkOff(b *testing.B) {
	var off telemetry.Telemetry

	h := off.Handler(nil)(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		_, end := telemetry.Start(r.Context(), "sql select")
		end(nil)
	}))
	r, w := httptest.NewRequest(http.MethodGet, "/v1/videos", nil), httptest.NewRecorder()

	b.ReportAllocs()

	for b.Loop() {
		h.ServeHTTP(w, r)
	}
}
