package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/urfave/cli/v3"

	"github.com/reelgraph/reelgraph/cmd/reelgraph/people"
	"github.com/reelgraph/reelgraph/cmd/reelgraph/settings"
	"github.com/reelgraph/reelgraph/cmd/reelgraph/story"
	"github.com/reelgraph/reelgraph/graph"
	"github.com/reelgraph/reelgraph/internal/analytics"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/keyring"
	"github.com/reelgraph/reelgraph/internal/platform/logging"
	"github.com/reelgraph/reelgraph/rest/router"
)

// The owner and the workspace of the demo.
const (
	demoEmail     = "demo@localhost"
	demoWorkspace = "Reelgraph demo"
)

func demoCommand(a app) *cli.Command {
	return &cli.Command{
		Name:   "demo",
		Usage:  "fill a workspace with recordings to explore, and print a key and four queries",
		Action: func(ctx context.Context, _ *cli.Command) error { return a.demo(ctx) },
	}
}

// demo works with and without a running server. It creates everything through the API and keeps what exists from an earlier
// run.
func (a app) demo(ctx context.Context) (err error) {
	c, err := settings.Load(a.getenv)
	if err != nil {
		return err
	}

	in, err := findWorkshop(settings.Config{DatabaseURL: c.DatabaseURL, Data: c.Data})
	if err != nil {
		return err
	}

	// A running server makes the export, the transcripts and the catalogue.
	for _, queue := range []string{jobs.QueueRender, jobs.QueueSpeech, jobs.QueueStock} {
		delete(in.queues, queue)
	}

	n, err := openNode(ctx, c, logging.New(a.stderr, c.Log), a.foundPostgres)
	if err != nil {
		return err
	}

	defer func() { err = errors.Join(err, n.close()) }()

	n.log = slog.New(warnings{n.log.Handler()})

	key, err := people.Grant{Email: demoEmail, Workspace: demoWorkspace, Role: auth.RoleOwner, NewPlan: c.Plan}.Issue(ctx, n.store)
	if err != nil {
		return err
	}

	colleague := people.Grant{Email: "colleague@localhost", Name: "Colleague", Workspace: demoWorkspace, NewPlan: c.Plan}
	if err := colleague.Seat(ctx, n.store); err != nil {
		return err
	}

	playlist, err := a.fill(ctx, n, in, key.Plain)
	if err != nil {
		return fmt.Errorf("fill the demo: %w", err)
	}

	fmt.Fprintf(a.stdout, demoText, demoWorkspace, inForce(ctx, c), playlist, key.Plain, inForce(ctx, c),
		demoQueries[0], demoQueries[1], demoQueries[2], demoQueries[3])

	return nil
}

// fill creates the demo through the API of this process and returns the id of its playlist.
func (a app) fill(ctx context.Context, n *node, in workshop, key string) (playlist string, err error) {
	q, err := n.working(in) //nolint:contextcheck // its pool lives as long as the queue
	if err != nil {
		return "", err
	}

	socket, err := listenOn(ctx, "REELGRAPH_ADDR", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer socket.Close() //nolint:errcheck // already closed by the server

	handler, streams, err := n.handler(ctx, &health{db: n.store.DB, blobs: n.blobs})
	if err != nil {
		return "", err
	}

	life, end := context.WithCancel(ctx)
	defer end()

	ended := make(chan error, 1)

	go func() {
		defer end() // without one part, no request can succeed

		ended <- n.run(life, append(n.parts(), part{"the queue", q.Run}, part{"the server", serving(socket, nil, handler, streams)})...)
	}()

	guide := story.NewGuide(life, socket.Addr().String(), key, in.tools.FFmpeg)

	told := guide.Tell(life)
	if told == nil {
		told = n.watch(life, guide)
	}

	if told == nil {
		playlist, told = guide.Playlist(life)
	}

	end()

	return playlist, errors.Join(told, <-ended)
}

// watch plays the videos of the demo to viewers. They report as players do, but at times in the past.
func (n *node) watch(ctx context.Context, guide *story.Guide) error {
	box, err := keyring.NewBox("view tokens of the demo", n.secrets...)
	if err != nil {
		return err
	}

	return story.NewAudience(&analytics.Server{
		Jobs: n.jobs, Read: input.ReadBody, Store: n.store,
		Refuse: router.Errors{BaseURL: n.addresses.BaseURL, Classify: graph.Classify, Log: n.log}.Write,
		Tokens: analytics.Tokens{Box: box, Host: n.config.BaseURL.Host},
	}).Watch(ctx, guide, n.store)
}

const demoText = `The workspace %q holds three videos with layouts, zooms, captions and a month of viewers, a playlist, tags,
comments and a second member. Watch them:

    %s/playlist/%s/view

Your API key for it (it is not shown again):

    %s

Paste these into %s/graphiql, with the key in the Headers tab:

%s
%s
%s
%s
To sign in there instead of using the key: reelgraph users password --user demo@localhost
`

// demoQueries are the first queries to try.
var demoQueries = [4]string{ //nolint:gochecknoglobals // an array has no constant
	`query Videos {
  videos(first: 10) {
    nodes {
      id name durationSeconds
      tags { nodes { name color } }
      clips { nodes { name cuts { startTimeMs durationMs } } }
      chapters { timestampSeconds title }
      exports { nodes { status progress } }
    }
  }
}
`, `query Workspace {
  viewer { user { email } role memberships { nodes { workspace { name plan } role } } }
  workspace { name members { nodes { user { name email } role } } }
  playlists(visibility: ORG) { nodes { name videos(first: 5) { nodes { name } } } }
}
`, `query Edit {
  videos(first: 3) {
    nodes {
      name
      clips {
        nodes {
          name
          background { type gradientColor1 gradientColor2 }
          effects(first: 20) {
            nodes {
              __typename
              ... on Layout { startTimeMs durationMs layout { kind } }
              ... on Zoom { startTimeMs durationMs scale }
              ... on TextOverlay { startTimeMs durationMs text }
            }
          }
        }
      }
      transcript { status text }
    }
  }
}
`, `query Figures {
  workspaceAnalytics {
    summary { totalViews uniqueSessions totalWatchTimeSeconds averagePercentViewed }
    viewsOverTime { date views }
    retention { percent watchCount }
    geography { country views }
    referrers { referrerDomain views }
    topVideos(first: 5) { nodes { name views } }
  }
}
`,
}
