package workers_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"
)

// BenchmarkDeliver delivers to 100 endpoints and counts the deliveries to 80 of them: while the other 20 work too,
// and while half of those hang and half return 500.
func BenchmarkDeliver(b *testing.B) {
	b.Run("20_healthy", func(b *testing.B) { deliverBeside(b, answering(200), answering(200)) })
	b.Run("20_sick", func(b *testing.B) {
		hang := func(_ http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body) // without reading the body, the closed connection goes unnoticed
			<-r.Context().Done()
		}
		deliverBeside(b, hang, answering(500))
	})
}

func deliverBeside(b *testing.B, neighbours ...http.HandlerFunc) {
	b.Helper()

	const healthy, beside, messages = 80, 10, 20

	var took time.Duration

	for range b.N {
		bundle := setup(b)

		var arrived atomic.Int64

		all := make(chan time.Time, 1)
		count := func(http.ResponseWriter, *http.Request) {
			if arrived.Add(1) == healthy*messages {
				all <- time.Now()
			}
		}

		listen := func(handler http.HandlerFunc, endpoints int) {
			server := httptest.NewServer(handler)

			b.Cleanup(func() {
				server.CloseClientConnections()
				server.Close()
			})

			for range endpoints {
				bundle.endpoint(server.URL)
			}
		}
		for _, neighbour := range neighbours {
			listen(neighbour, beside)
		}

		listen(count, healthy)
		bundle.publish(messages)

		begun := time.Now()
		_, stop := bundle.node(256)
		took += (<-all).Sub(begun)

		stop()
	}

	b.ReportMetric(float64(b.N*healthy*messages)/took.Seconds(), "deliveries/s")
	b.ReportMetric(0, "ns/op")
}
