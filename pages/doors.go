package pages

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/account"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
)

// maxForm is the largest form in bytes.
const maxForm = 64 << 10

// form parses a form that one of our own pages sent.
func (s *Server) form(r *http.Request) (url.Values, error) {
	if !s.Cookies.Own(r) {
		return nil, fault.Forbidden("Forms are accepted only from this server's own pages. " +
			"Open the page at the address in REELGRAPH_BASE_URL, or at one in " +
			"REELGRAPH_ORIGINS.")
	}

	body, err := middleware.Bounds{Body: maxForm, Types: []string{"application/x-www-form-urlencoded"}}.Read(r)
	if err != nil {
		return nil, err
	}

	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, fault.BadRequest("The form cannot be parsed.").Because(err)
	}

	return form, nil
}

type kind int

const (
	kindVideo kind = iota
	kindPlaylist
)

// unlock admits a visitor who gives the password of a video or a playlist. For an embedded page, the response is the
// page itself, because its cookie may not be sent back.
func (s *Server) unlock(of kind) handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		form, err := s.form(r)
		if err != nil {
			return err
		}

		id, embed := r.PathValue("id"), r.URL.Query().Get("embed") == "1"
		again := barrierPage{Barrier: model.BarrierPassword, Unlock: r.URL.Path + here(embed), Embed: embed}

		fingerprint, err := s.tryPassword(r, of, id, norm.NFC.String(form.Get("password")))
		if fault.Is(err, fault.ForbiddenCode) {
			again.Wrong = "Wrong password. Check it and try again."

			return s.barred(w, r, again, frames(embed))
		}

		if err != nil {
			return err
		}

		visitor := s.visitors().of(r, embed)
		if visitor.Knows, err = s.visitors().learn(w, visitor.Knows, id, fingerprint); err != nil {
			return err
		}

		switch {
		case !embed:
			http.Redirect(w, r, strings.TrimSuffix(r.URL.Path, "unlock")+"view", http.StatusSeeOther) //nolint:gosec // a path of our own

			return nil
		case of == kindVideo:
			return s.showVideo(w, r, id, visitor, true)
		default:
			return s.showPlaylist(w, r, id, visitor, true)
		}
	}
}

// frames returns the framing policy of a page without a video.
func frames(embed bool) string {
	if embed {
		return "*"
	}

	return "'none'"
}

func (s *Server) tryPassword(r *http.Request, of kind, id, password string) (string, error) {
	guess := account.GuessAt(id, s.Peers.Of(r))
	if err := s.Accounts.Attempts.Count(r.Context(), guess); err != nil {
		return "", err //nolint:wrapcheck // a fault
	}

	try := s.Sharing.UnlockVideo
	if of == kindPlaylist {
		try = s.Sharing.UnlockPlaylist
	}

	fingerprint, err := try(r.Context(), id, password)
	if err != nil {
		return "", err
	}

	return fingerprint, s.Accounts.Attempts.Right(r.Context(), guess)
}

// signInPage asks the visitor to sign in. A signed-in visitor may sign out.
func (s *Server) signInPage(w http.ResponseWriter, r *http.Request) error {
	to := cmp.Or(r.URL.Query().Get("to"), home)
	if !goesOn(to) {
		return notHere()
	}

	_, name, err := s.Accounts.Sessions().SignedIn(r.Context(), s.Cookies.Reading(r))
	if err != nil {
		return err
	}

	p := barrierPage{Barrier: model.BarrierSignIn, Here: to, Asked: true, Name: name}

	return s.showBarrier(w, r, http.StatusOK, p, frames(false))
}

// home is where a visitor goes after signing in if they came from no other page: the studio.
const home = "/"

// returns lists the first path segments of the pages that people return to after signing in.
var returns = []string{"video", "playlist", "river", "graphiql", "videos", "playlists", "analytics", "activity", "settings"}

// goesOn reports whether a path is one of ours that people return to after signing in.
func goesOn(to string) bool {
	path, ours := strings.CutPrefix(to, "/")
	first := path

	if end := strings.IndexAny(path, "/?#"); end >= 0 {
		first = path[:end]
	}

	if !ours || strings.ContainsAny(to, "\\\r\n") || strings.HasPrefix(path, "/") {
		return false
	}

	return first == "" || slices.Contains(returns, first)
}

// doorForm parses the form for signing in or out, and the path to return to.
func (s *Server) doorForm(r *http.Request) (form url.Values, to string, err error) {
	if form, err = s.form(r); err != nil {
		return nil, "", err
	}

	to = cmp.Or(form.Get("to"), home)
	if !goesOn(to) {
		return nil, "", notHere()
	}

	return form, to, nil
}

// signIn starts a session, as the graph does, and returns to the visitor's page.
func (s *Server) signIn(w http.ResponseWriter, r *http.Request) error {
	if r.Method != http.MethodPost {
		return s.signInPage(w, r)
	}

	form, to, err := s.doorForm(r)
	if err != nil {
		return err
	}

	within, name, err := s.Accounts.Sessions().SignedIn(r.Context(), s.Cookies.Token(r)) // the old session ends when the new one starts
	if err != nil {
		return err
	}

	in := model.SignInInput{Email: form.Get("email"), Password: form.Get("password")}

	_, err = s.Graph.Mutation().SignIn(within, in)
	if fault.Is(err, fault.UnauthorizedCode) || fault.Is(err, fault.BadRequestCode) {
		return s.barred(w, r, barrierPage{
			Barrier: model.BarrierSignIn, Here: to, Asked: true, Name: name, Email: in.Email,
			Wrong: "The e-mail address or the password is wrong.",
		}, frames(false))
	}

	if err != nil {
		return err
	}

	http.Redirect(w, r, to, http.StatusSeeOther) //nolint:gosec // a path of our own

	return nil
}

// signOut ends the visitor's session, even an expired one, and returns to the sign-in page.
func (s *Server) signOut(w http.ResponseWriter, r *http.Request) error {
	if r.Method != http.MethodPost {
		http.Redirect(w, r, "/sign-in", http.StatusSeeOther)

		return nil
	}

	_, to, err := s.doorForm(r)
	if err != nil {
		return err
	}

	if token := s.Cookies.Token(r); token != "" {
		if err := s.Accounts.Sessions().EndSession(r.Context(), token); err != nil {
			return err
		}
	}

	http.Redirect(w, r, "/sign-in?to="+url.QueryEscape(to), http.StatusSeeOther)

	return nil
}
