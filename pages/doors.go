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

// maxForm is how large a form may be.
const maxForm = 64 << 10

// form reads a form that one of our own pages sent.
func (s *Server) form(r *http.Request) (url.Values, error) {
	if !s.Cookies.Own(r) {
		return nil, fault.Forbidden("Forms are taken from our own pages only. Open the page at the address in REELGRAPH_BASE_URL, or at one in " +
			"REELGRAPH_ORIGINS.")
	}

	body, err := middleware.Bounds{Body: maxForm, Types: []string{"application/x-www-form-urlencoded"}}.Read(r)
	if err != nil {
		return nil, err
	}

	form, err := url.ParseQuery(string(body))
	if err != nil {
		return nil, fault.BadRequest("The form cannot be read.").Because(err)
	}

	return form, nil
}

type kind int

const (
	kindVideo kind = iota
	kindPlaylist
)

// unlock lets in who gives the password of a video or a playlist. An embedded page goes on in the answer,
// as its cookie may never come back.
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
			again.Wrong = "That is not the password. Check it and try again."

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

// frames is the framing of a page that knows nothing of a video.
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

// signInPage asks who the visitor is, and who it knows already may sign out.
func (s *Server) signInPage(w http.ResponseWriter, r *http.Request) error {
	to := cmp.Or(r.URL.Query().Get("to"), editor)
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

// editor is where who has signed in goes on who came from nowhere.
const editor = "/graphiql"

// goesOn reports whether a path is one of ours to which people sign in.
func goesOn(to string) bool {
	path, ours := strings.CutPrefix(to, "/")
	first := path

	if end := strings.IndexAny(path, "/?#"); end >= 0 {
		first = path[:end]
	}

	return ours && !strings.ContainsAny(to, "\\\r\n") && slices.Contains([]string{"video", "playlist", "river", "graphiql"}, first)
}

// doorForm reads a form of who signs in or out, and where they go on.
func (s *Server) doorForm(r *http.Request) (form url.Values, to string, err error) {
	if form, err = s.form(r); err != nil {
		return nil, "", err
	}

	to = cmp.Or(form.Get("to"), editor)
	if !goesOn(to) {
		return nil, "", notHere()
	}

	return form, to, nil
}

// signIn begins a session, as the graph does, and goes on where the visitor was.
func (s *Server) signIn(w http.ResponseWriter, r *http.Request) error {
	if r.Method != http.MethodPost {
		return s.signInPage(w, r)
	}

	form, to, err := s.doorForm(r)
	if err != nil {
		return err
	}

	within, name, err := s.Accounts.Sessions().SignedIn(r.Context(), s.Cookies.Token(r)) // that session ends where the new one begins
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

// signOut ends the visitor's session, whatever it still counts for, and goes back to where people sign in.
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
