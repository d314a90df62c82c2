package analytics

import (
	"encoding/json"
	"fmt"
	"net/http"
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
	"github.com/reelgraph/reelgraph/internal/platform/store"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

const (
	maxReport = 64 << 10

	// Rate limit of one page: a burst, and reports per second. A page that sends more is abusive.
	burst     = 60
	perSecond = 2
)

// Server receives the reports of players. Every field but Countries is required.
type Server struct {
	Clock     func() time.Time
	Countries Countries
	// Read parses a JSON body strictly, by the check tags of the target.
	Read   func(body []byte, into any) error
	Refuse middleware.RefuseFunc
	Jobs   *jobs.Queue
	Store  *store.Store
	Tokens Tokens
}

// Report is the body of POST /playback/{viewToken}. Each report of a session has its own sequence number, so that a
// report that is sent again counts once.
type Report struct {
	Seq    int64         `json:"seq" check:"required,min=0"`
	Events []ReportEvent `json:"events" check:"required,items=0..1000"`
}

// ReportEvent is one event of a report.
type ReportEvent struct {
	Type        values.PlaybackEventType `json:"type" check:"required"`
	AtMs        int64                    `json:"atMs" check:"required,min=0"`
	FromSeconds *float64                 `json:"fromSeconds" check:"min=0"`
	ToSeconds   *float64                 `json:"toSeconds" check:"min=0"`
	Rate        *float64                 `json:"rate" check:"gt=0"`
}

// Handler serves /playback/. It must come after middleware.Identify and middleware.Guard. It returns 404 for any
// other path.
func (s *Server) Handler() http.Handler {
	mux := http.NewServeMux()

	mux.HandleFunc("/playback/{token}", func(w http.ResponseWriter, r *http.Request) {
		if err := s.receive(w, r); err != nil {
			s.Refuse(w, r, err)
		}
	})
	mux.HandleFunc("/", func(w http.ResponseWriter, r *http.Request) { s.Refuse(w, r, fault.NotFound("route")) })

	return mux
}

func (s *Server) receive(w http.ResponseWriter, r *http.Request) error {
	if r.Method != http.MethodPost {
		w.Header().Set("Allow", http.MethodPost)

		return middleware.NewRefusal(http.StatusMethodNotAllowed, "This address supports only POST.")
	}

	now := s.Clock().UTC().Truncate(time.Millisecond)

	p, err := s.Tokens.read(r.PathValue("token"), now)
	if err != nil {
		return err
	}

	body, err := middleware.Bounds{Body: maxReport, Types: []string{"application/json", "text/plain"}}.Read(r)
	if err != nil {
		return err
	}

	var report Report
	if err := s.Read(body, &report); err != nil {
		return err
	}

	if elapsed := now.Sub(time.UnixMilli(p.OpenedMs)); report.Seq > p.First+burst+int64(elapsed.Seconds()*perSecond) {
		return fault.RateLimited(time.Second)
	}

	if !bot(r) {
		if p, err = s.record(r.Context(), p, report.batch(p, now), s.visitor(r)); err != nil {
			return err
		}
	}

	return answer(w, s.Tokens.write(p, now))
}

// batch returns the stored form of a report.
func (r Report) batch(p pass, now time.Time) batch {
	events := make([]Event, len(r.Events))
	for i, e := range r.Events {
		events[i] = Event(e)
	}

	return batch{seq: r.Seq, Batch: Batch{Received: now, Events: Within(events, time.UnixMilli(p.OpenedMs), now)}}
}

// visitor returns what is stored about the viewer.
type visitor struct {
	country *string
	private bool
}

func (s *Server) visitor(r *http.Request) visitor {
	if private(r) {
		return visitor{private: true}
	}

	return visitor{country: s.Countries.of(r)}
}

func answer(w http.ResponseWriter, token string) error {
	body, err := json.Marshal(map[string]string{"viewToken": token})
	if err != nil {
		return fmt.Errorf("answer report: %w", err)
	}

	h := w.Header()
	h.Set("Cache-Control", "no-store")
	h.Set("Content-Type", "application/json")

	_, _ = w.Write(body) // the report is committed, whether or not the response arrives

	return nil
}
