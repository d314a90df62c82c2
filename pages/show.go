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
	"deref":   func(ms *int64) int64 { return *ms },
}).ParseFS(files, "html/*.html"))

// policyOf returns a content security policy: the page may load its own files, talk only to its own server, and be
// framed as given.
func policyOf(framing string) string {
	return "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; media-src 'self' blob:; connect-src 'self'; " +
		"form-action 'self'; base-uri 'none'; frame-ancestors " + framing
}

// show responds with a page.
func (s *Server) show(w http.ResponseWriter, r *http.Request, status int, name string, view any, framing string) error {
	var b bytes.Buffer

	if err := templates.ExecuteTemplate(&b, name, view); err != nil {
		return fmt.Errorf("write page: %w", err)
	}

	h := w.Header()
	h.Set("Cache-Control", "private, no-cache")

	if s.Cookies.Reading(r) != "" {
		h.Set("Cache-Control", "no-store") // after signing out, what a member saw must not stay in the browser's history
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

// barrierPage is shown instead of a video or a playlist. It reveals nothing about them.
type barrierPage struct {
	head

	Barrier model.Barrier
	Unlock  string // where the password is sent
	Here    string // the visitor's page
	Wrong   string // the error in what was entered
	Email   string
	Asked   bool   // the visitor came to sign in, and nothing is blocked
	Name    string // of the signed-in visitor
	Embed   bool
	Other   string // the page to open after signing in as somebody else
}

// barred responds with the reason why the visitor cannot watch, and what to do.
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

// notHere returns the fault for a page that does not exist.
func notHere() error { return fault.NotFound("page") }

// Sorry responds with an error page. The page contains the reason only if visitors may know it.
func (s *Server) Sorry(w http.ResponseWriter, r *http.Request, err error) {
	recorded := &statusOnly{header: http.Header{}}
	s.Refuse(recorded, r, err) // it decides the status and logs the error

	view := barrierPage{head: head{Title: titles(recorded.status)}, Wrong: "Something went wrong on our side. Please try again later."}

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

	framing := frames(view.Other == "" && view.Here == "") // pages with links to other pages must not be framed

	if err := s.show(w, r, recorded.status, "sorry.html", view, framing); err != nil {
		s.Refuse(w, r, err)
	}
}

// wordsOf returns the message of an error for visitors: the API's own messages speak of keys and headers.
func wordsOf(f *fault.Error, ours string) string {
	switch f.Code {
	case fault.ServerErrorCode:
		return ours
	case fault.NotFoundCode:
		return "There is nothing at this address. It may have been removed, or the link may be wrong."
	case fault.RateLimitedCode:
		return "Too many attempts from here. Try again in " + wait(f.RetryAfter) + "."
	case fault.UnauthorizedCode:
		return "You must be signed in for this."
	case fault.BadRequestCode:
		if len(f.Fields) > 0 {
			return fault.Invalid(labelled(f.Fields)).Message
		}

		return f.Message
	default:
		return f.Message
	}
}

// labelled replaces field names by the labels of the form, which visitors know.
func labelled(fields []fault.Field) []fault.Field {
	labels := map[string]string{"author": "Your name", "body": "The comment", "atSeconds": "The time"}
	said := slices.Clone(fields)

	for i, f := range said {
		said[i].Path = cmp.Or(labels[f.Path], f.Path)
	}

	return said
}

// wait formats the time until a retry.
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
		return "Too many attempts"
	case http.StatusForbidden, http.StatusUnauthorized:
		return "Not allowed"
	default:
		return "That did not work"
	}
}

// statusOnly records the status of a response.
type statusOnly struct {
	header http.Header
	status int
}

// Header implements http.ResponseWriter.
func (s *statusOnly) Header() http.Header { return s.header }

// Write implements http.ResponseWriter.
func (s *statusOnly) Write(b []byte) (int, error) { return len(b), nil }

// WriteHeader implements http.ResponseWriter.
func (s *statusOnly) WriteHeader(status int) { s.status = status }

// initial returns the letter that stands for a person.
func initial(name string) string {
	for _, c := range strings.TrimSpace(name) {
		return strings.ToUpper(string(c))
	}

	return "?"
}
