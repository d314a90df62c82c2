package pages

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

//go:embed html
var files embed.FS

var templates = template.Must(template.New("pages").Funcs(template.FuncMap{
	"asset":   func(name string) string { return assets()[name] },
	"clock":   clock,
	"date":    func(t time.Time) string { return t.UTC().Format("2 January 2006") },
	"iso":     func(t time.Time) string { return t.UTC().Format(time.RFC3339) },
	"lines":   func(text string) []string { return strings.Split(strings.TrimSpace(text), "\n") },
	"initial": initial,
	"seconds": func(ms int64) string { return fmt.Sprintf("%.3f", float64(ms)/1000) },
	"say":     func(videoID string, c model.ShownComment) oneComment { return oneComment{videoID, c} },
	"deref":   func(ms *int64) int64 { return *ms },
}).ParseFS(files, "html/*.html"))

// policyOf lets a page load its own files and talk to its own server, and be framed by whom it says.
func policyOf(framing string) string {
	return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self' blob:; connect-src 'self'; " +
		"form-action 'self'; base-uri 'none'; frame-ancestors " + framing
}

// show answers with a page.
func (s *Server) show(w http.ResponseWriter, r *http.Request, status int, name string, view any, framing string) error {
	var b bytes.Buffer

	if err := templates.ExecuteTemplate(&b, name, view); err != nil {
		return fmt.Errorf("write page: %w", err)
	}

	h := w.Header()
	h.Set("Cache-Control", "private, no-cache")

	if s.Cookies.Reading(r) != "" {
		h.Set("Cache-Control", "no-store") // what a member saw is gone once they sign out, in the browser's history too
	}

	h.Set("Content-Security-Policy", policyOf(framing))
	h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()")
	h.Set("Referrer-Policy", "strict-origin-when-cross-origin")
	h.Add("Vary", "Cookie, Sec-Fetch-Dest")

	if framing == "'none'" {
		h.Set("Cross-Origin-Opener-Policy", "same-origin")
		h.Set("X-Frame-Options", "DENY")
	}

	send(w, r, status, "text/html; charset=utf-8", b.Bytes())

	return nil
}

// barrierPage is what stands before a video or a playlist. It says nothing of them.
type barrierPage struct {
	head

	Barrier model.Barrier
	Unlock  string // where the password goes
	Here    string // where the visitor goes on
	Wrong   string // what was wrong with what was given
	Email   string
	Asked   bool   // the visitor came to sign in, and is kept from nothing
	Name    string // of who has signed in already
	Embed   bool
	Other   string // where somebody else might go on who signs in
}

// barred answers with what keeps the visitor out, and how to get in.
func (s *Server) barred(w http.ResponseWriter, r *http.Request, p barrierPage, framing string) error {
	status := http.StatusForbidden
	if p.Barrier == model.BarrierPassword || p.Barrier == model.BarrierSignIn {
		status = http.StatusUnauthorized
	}

	return s.showBarrier(w, r, status, p, framing)
}

func (s *Server) showBarrier(w http.ResponseWriter, r *http.Request, status int, p barrierPage, framing string) error {
	p.Title = map[model.Barrier]string{
		model.BarrierPassword: "Password needed", model.BarrierSignIn: "Sign in to watch",
		model.BarrierMembers: "For members only", model.BarrierEmbed: "Watch it where it is embedded",
	}[p.Barrier]

	if p.Asked {
		p.Title = "Sign in"
	}

	w.Header().Set("X-Robots-Tag", "noindex")

	return s.show(w, r, status, "barrier.html", p, framing)
}

// notHere is what is answered for whatever there is not.
func notHere() error { return fault.NotFound("page") }

// Sorry answers with a page that says what went wrong, as far as visitors may know.
func (s *Server) Sorry(w http.ResponseWriter, r *http.Request, err error) {
	recorded := &statusOnly{header: http.Header{}}
	s.Refuse(recorded, r, err) // it knows the status and what is logged

	view := barrierPage{head: head{Title: titles(recorded.status)}, Wrong: "Something went wrong on our side. Try again in a while."}

	if f, is := fault.As(err); is {
		view.Wrong = wordsOf(f, view.Wrong)
	}

	if id := r.PathValue("id"); strings.HasPrefix(r.URL.Path, "/video/"+id+"/comments") && recorded.status != http.StatusNotFound {
		view.Here = inside(s.Addresses.ViewPage(id)) + "#comments"
	}

	if to := r.URL.RequestURI(); r.Method == http.MethodGet && recorded.status == http.StatusForbidden && goesOn(to) {
		view.Other = to
	}

	for _, name := range []string{"Retry-After", "Allow"} {
		if value := recorded.header.Get(name); value != "" {
			w.Header().Set(name, value)
		}
	}

	w.Header().Set("X-Robots-Tag", "noindex")

	framing := frames(view.Other == "" && view.Here == "") // what leads on leads to pages that nobody may frame

	if err := s.show(w, r, recorded.status, "sorry.html", view, framing); err != nil {
		s.Refuse(w, r, err)
	}
}

// wordsOf are those of a fault for people: the API's own speak of keys and headers.
func wordsOf(f *fault.Error, ours string) string {
	switch f.Code {
	case fault.ServerErrorCode:
		return ours
	case fault.NotFoundCode:
		return "Nothing is here. It may have been removed, or the link may be wrong."
	case fault.RateLimitedCode:
		return "There were too many attempts from here. Try again in " + wait(f.RetryAfter) + "."
	case fault.UnauthorizedCode:
		return "This is for people who are signed in."
	case fault.BadRequestCode:
		if len(f.Fields) > 0 {
			return fault.Invalid(labelled(f.Fields)).Message
		}

		return f.Message
	default:
		return f.Message
	}
}

// labelled are the fields of a form by their labels: visitors know no others.
func labelled(fields []fault.Field) []fault.Field {
	labels := map[string]string{"author": "Your name", "body": "The comment", "atSeconds": "The time"}
	said := slices.Clone(fields)

	for i, f := range said {
		said[i].Path = cmp.Or(labels[f.Path], f.Path)
	}

	return said
}

// wait is how long it takes until something may be tried again, as people say it.
func wait(d time.Duration) string {
	minutes := int64((d + time.Minute - 1) / time.Minute)
	if minutes <= 1 {
		return "a minute"
	}

	return strconv.FormatInt(minutes, 10) + " minutes"
}

func titles(status int) string {
	switch status {
	case http.StatusNotFound:
		return "Not found"
	case http.StatusTooManyRequests:
		return "A little slower, please"
	case http.StatusForbidden, http.StatusUnauthorized:
		return "Not allowed"
	default:
		return "That did not work"
	}
}

// statusOnly hears which status an answer would have.
type statusOnly struct {
	header http.Header
	status int
}

func (s *statusOnly) Header() http.Header         { return s.header }
func (s *statusOnly) Write(b []byte) (int, error) { return len(b), nil }
func (s *statusOnly) WriteHeader(status int)      { s.status = status }

// initial is the letter that stands for a person.
func initial(name string) string {
	for _, c := range strings.TrimSpace(name) {
		return strings.ToUpper(string(c))
	}

	return "?"
}
