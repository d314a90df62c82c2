package pages

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/url"
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

// oneComment is a single comment with its replies.
type oneComment struct {
	VideoID string
	Comment model.ShownComment
	Member  bool // whether the visitor is a member, who gives no name with a reply
}

// Count returns the number of comments and replies.
func (v commentsView) Count() int {
	n := len(v.Items)
	for _, c := range v.Items {
		n += len(c.Replies)
	}

	return n
}

// Said returns a comment as the page shows it.
func (v commentsView) Said(c model.ShownComment) oneComment {
	return oneComment{v.VideoID, c, v.Name != ""}
}

// Said returns a reply as the page shows it.
func (o oneComment) Said(c model.ShownComment) oneComment { return oneComment{o.VideoID, c, o.Member} }

// comment adds a visitor's comment or reply and redirects back to the video. The page's script requests only the new
// comment, so that the video keeps playing.
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
		AddCommentInput: model.AddCommentInput{Body: bodyOf(form)},
		Author:          strings.TrimSpace(form.Get("author")),
	}

	if answered := form.Get("replyToId"); answered != "" {
		in.ReplyToID = &answered
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

	return s.sayAgain(w, r, shown, said)
}

// bodyOf returns the text of a comment from a form. Browsers end lines with CR LF.
func bodyOf(form url.Values) string {
	return strings.TrimSpace(strings.ReplaceAll(form.Get("body"), "\r\n", "\n"))
}

// sayAgain redirects to a comment on its page, or sends the comment alone to the page's script.
func (s *Server) sayAgain(w http.ResponseWriter, r *http.Request, shown *model.Showing, said model.ShownComment) error {
	if r.Header.Get("Accept") != "text/html; fragment" {
		http.Redirect(w, r, inside(s.Addresses.ViewPage(shown.Video.ID))+"#"+said.ID, http.StatusSeeOther) //nolint:gosec // a path of our own

		return nil
	}

	var b bytes.Buffer

	if err := templates.ExecuteTemplate(&b, "comment", oneComment{shown.Video.ID, said, shown.Who.UserID != ""}); err != nil {
		return fmt.Errorf("write comment: %w", err)
	}

	w.Header().Set("Cache-Control", "no-store")
	send(w, r, http.StatusOK, "text/html; charset=utf-8", b.Bytes())

	return nil
}

// changeComment changes the text of a member's own comment.
func (s *Server) changeComment(w http.ResponseWriter, r *http.Request) error {
	return s.change(w, r, func(ctx context.Context, shown *model.Showing, form url.Values) (model.ShownComment, error) {
		return s.Sharing.ChangeComment(ctx, shown, r.PathValue("comment"), model.UpdateCommentInput{Body: bodyOf(form)})
	})
}

// resolveComment resolves a comment, or opens it again, if the member may do this.
func (s *Server) resolveComment(w http.ResponseWriter, r *http.Request) error {
	return s.change(w, r, func(ctx context.Context, shown *model.Showing, form url.Values) (model.ShownComment, error) {
		return s.Sharing.ResolveComment(ctx, shown, r.PathValue("comment"), model.ResolveCommentInput{Resolved: form.Get("resolved") != "false"})
	})
}

// change lets a member change a comment, and shows the result.
func (s *Server) change(w http.ResponseWriter, r *http.Request,
	to func(ctx context.Context, shown *model.Showing, form url.Values) (model.ShownComment, error),
) error {
	form, err := s.form(r)
	if err != nil {
		return err
	}

	shown, err := s.watched(r, r.PathValue("id"))
	if err != nil {
		return err
	}

	said, err := to(r.Context(), shown, form)
	if err != nil {
		return err
	}

	return s.sayAgain(w, r, shown, said)
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
