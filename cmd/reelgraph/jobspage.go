package main

import (
	"context"
	"database/sql"
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"riverqueue.com/riverui"

	"github.com/reelgraph/reelgraph/internal/account"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
)

// jobsPrefix is the path of River's pages about the jobs of all workspaces.
const jobsPrefix = "/river"

// jobsPolicy allows those pages only their own resources.
const jobsPolicy = "default-src 'none'; connect-src 'self'; font-src 'self'; img-src 'self' data:; script-src 'self'; " +
	"style-src 'self' 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

// signInFirst handles refused requests. An anonymous visitor of a page is redirected to the sign-in page. A signed-in person
// without access to the page gets an error page.
func signInFirst(refuse, sorry middleware.RefuseFunc) middleware.RefuseFunc {
	return func(w http.ResponseWriter, r *http.Request, err error) {
		switch {
		case r.Method != http.MethodGet || !strings.Contains(r.Header.Get("Accept"), "text/html"):
			refuse(w, r, err)
		case fault.Is(err, fault.UnauthorizedCode):
			to := strings.ReplaceAll(r.URL.RequestURI(), `\`, "%5C") // escaped, because browsers read a backslash as a slash
			http.Redirect(w, r, "/sign-in?to="+url.QueryEscape(to), http.StatusSeeOther)
		default:
			sorry(w, r, err)
		}
	}
}

// jobsPage serves those pages to operators until the context ends.
func (n *node) jobsPage(ctx context.Context, refuse, sorry middleware.RefuseFunc) (http.Handler, error) {
	pages, err := riverui.NewHandler(&riverui.HandlerOpts{
		Endpoints:                riverui.NewEndpoints(n.jobs.Client, &riverui.EndpointsOpts[*sql.Tx]{}),
		JobListHideArgsByDefault: true,
		Logger:                   quiet(n.log),
		Prefix:                   jobsPrefix,
	})
	if err != nil {
		return nil, fmt.Errorf("create the job pages: %w", err)
	}

	if err := pages.Start(ctx); err != nil {
		return nil, fmt.Errorf("start the job pages: %w", err)
	}

	return account.Operators{Cookies: n.cookies(), DB: n.store.DB, Refuse: signInFirst(refuse, sorry)}.Handler(
		http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Cache-Control", "no-store")
			w.Header().Set("Content-Security-Policy", jobsPolicy)
			pages.ServeHTTP(w, r)
		})), nil
}
