package pages

import (
	"bytes"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strconv"
	"strings"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/account"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// commentsView holds the comments of a video and the form for a new one.
type commentsView struct {
	VideoID string
	Items   []model.ShownComment
	Name    string // of the visiting member; if empty, the form asks for a name
}

func (s *Server) commentsOf(r *http.Request, shown *model.Showing) (*commentsView, error) {
	items, err := s.Sharing.ShownComments(r.Context(), shown)
	if err != nil {
		return nil, err
	}

	return &commentsView{VideoID: shown.Video.ID, Items: items, Name: shown.Name}, nil
}

// oneComment is a single comment.
type oneComment struct {
	VideoID string
	Comment model.ShownComment
}

// comment adds a visitor's comment and redirects back to the video. The page's script requests only the new comment,
// so that the video keeps playing.
func (s *Server) comment(w http.ResponseWriter, r *http.Request) error {
	form, err := s.form(r)
	if err != nil {
		return err
	}

	id := r.PathValue("id")

	shown, err := s.watched(r, id)
	if err != nil {
		return err
	}

	if shown.Who.UserID == "" && !form.Has("author") {
		return fault.Unauthorized() // the member has signed out meanwhile
	}

	in := model.VisitorComment{
		AddCommentInput: model.AddCommentInput{Body: strings.TrimSpace(strings.ReplaceAll(form.Get("body"), "\r\n", "\n"))},
		Author:          strings.TrimSpace(form.Get("author")),
	}

	if form.Get("pinned") == "on" {
		at, err := strconv.ParseFloat(form.Get("atSeconds"), 64)
		if err != nil || math.IsNaN(at) {
			return fault.Invalid([]fault.Field{{Path: "atSeconds", Rule: "must be a number"}})
		}

		in.AtSeconds = &at
	}

	budget := account.CommentOf(s.Peers.Of(r))
	if err := s.Accounts.Attempts.Count(r.Context(), budget); err != nil {
		return err //nolint:wrapcheck // a fault
	}

	said, err := s.Sharing.CommentAsVisitor(r.Context(), shown, in)
	if err != nil {
		return errors.Join(err, s.Accounts.Attempts.TakeBack(r.Context(), budget))
	}

	if r.Header.Get("Accept") != "text/html; fragment" {
		http.Redirect(w, r, inside(s.Addresses.ViewPage(id))+"#"+said.ID, http.StatusSeeOther) //nolint:gosec // a path of our own

		return nil
	}

	var b bytes.Buffer

	if err := templates.ExecuteTemplate(&b, "comment", oneComment{id, said}); err != nil {
		return fmt.Errorf("write comment: %w", err)
	}

	w.Header().Set("Cache-Control", "no-store")
	send(w, r, http.StatusOK, "text/html; charset=utf-8", b.Bytes())

	return nil
}

// removeComment removes a comment if the member may do this.
func (s *Server) removeComment(w http.ResponseWriter, r *http.Request) error {
	if _, err := s.form(r); err != nil {
		return err
	}

	id := r.PathValue("id")

	shown, err := s.watched(r, id)
	if err != nil {
		return err
	}

	if err := s.Sharing.RemoveComment(r.Context(), shown, r.PathValue("comment")); err != nil {
		return err
	}

	http.Redirect(w, r, inside(s.Addresses.ViewPage(id))+"#comments", http.StatusSeeOther) //nolint:gosec // a path of our own

	return nil
}

// watched returns the video to comment on, if the visitor may watch it.
func (s *Server) watched(r *http.Request, id string) (*model.Showing, error) {
	shown, err := s.Sharing.ShowVideo(r.Context(), id, s.visitors().of(r, false))
	if err != nil {
		return nil, err
	}

	if shown.Barrier != model.BarrierNone {
		return nil, fault.Forbidden("You may comment only on a video that you may watch.")
	}

	return shown, nil
}
