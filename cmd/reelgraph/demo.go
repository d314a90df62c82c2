package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"

	"github.com/riverqueue/river"
	"github.com/urfave/cli/v3"

	"github.com/reelgraph/reelgraph/cmd/reelgraph/people"
	"github.com/reelgraph/reelgraph/cmd/reelgraph/settings"
	"github.com/reelgraph/reelgraph/ent/apikey"
	"github.com/reelgraph/reelgraph/internal/demo/story"
	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/logging"
	"github.com/reelgraph/reelgraph/internal/video/values"
	rollup "github.com/reelgraph/reelgraph/workers/analytics"
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

// demo works with and without a running server. It keeps what exists from an earlier run.
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

	owner := people.Grant{Email: demoEmail, Workspace: demoWorkspace, Role: auth.RoleOwner, NewPlan: c.Plan}

	key, err := owner.Issue(ctx, n.store)
	if err != nil {
		return err
	}

	colleague := people.Grant{Email: "colleague@localhost", Name: "Colleague", Workspace: demoWorkspace, NewPlan: c.Plan}
	if err := colleague.Seat(ctx, n.store); err != nil {
		return err
	}

	playlist, err := n.fill(ctx, in, key.Plain)
	if err != nil {
		return fmt.Errorf("fill the demo: %w", err)
	}

	fmt.Fprintf(a.stdout, demoText, demoWorkspace, inForce(ctx, c), playlist, key.Plain, inForce(ctx, c),
		demoQueries[0], demoQueries[1], demoQueries[2], demoQueries[3])

	return nil
}

// fill creates the demo as the owner of a key, while this process probes its recordings, and returns the id of its playlist.
func (n *node) fill(ctx context.Context, in workshop, key string) (playlist string, err error) {
	q, err := n.working(in) //nolint:contextcheck // its pool lives as long as the queue
	if err != nil {
		return "", err
	}

	guide, err := n.guide(in)
	if err != nil {
		return "", err
	}

	who, err := n.ownerOf(ctx, key)
	if err != nil {
		return "", err
	}

	life, end := context.WithCancel(ctx)
	defer end()

	ended := make(chan error, 1)

	go func() {
		defer end() // without one part, nothing can succeed

		ended <- n.run(life, append(n.parts(), part{"the queue", q.Run})...)
	}()

	told := tell(auth.With(life, who), guide)
	if told == nil {
		told = n.roll(life)
	}

	var made values.DemoMade
	if told == nil {
		made, told = guide.Found(auth.With(life, who))
	}

	end()

	return made.PlaylistID, errors.Join(told, <-ended)
}

// roll makes figures of the playback events.
func (n *node) roll(ctx context.Context) error {
	return (&rollup.Roll{Store: n.store}).Work(ctx, &river.Job[jobs.Roll]{})
}

// tell creates what an earlier run of the command has not.
func tell(ctx context.Context, guide *story.Guide) error {
	made, err := guide.Found(ctx)
	if err != nil {
		return err
	}

	return guide.Tell(ctx, made, func(context.Context, values.DemoMade, int) error { return nil })
}

// guide returns the Guide that makes the demo with the services of this node.
func (n *node) guide(in workshop) (*story.Guide, error) {
	resolver, err := n.resolver()
	if err != nil {
		return nil, err
	}

	s := resolver.Services

	return &story.Guide{
		Store: n.store, Jobs: n.jobs, Tools: in.tools, Clips: s.Clips, Comments: s.Comments, Effects: s.Effects, Exports: s.Exports,
		Playlists: s.Playlists, Transcripts: s.Transcripts, Upload: s.Upload, Videos: s.Videos,
	}, nil
}

// ownerOf returns the person and the workspace of a key that was just created.
func (n *node) ownerOf(ctx context.Context, key string) (auth.Viewer, error) {
	across := auth.AsSystem(ctx)

	found, err := n.store.Client(ctx).APIKey.Query().Where(apikey.Hash(auth.HashKey(key))).Only(across)
	if err != nil {
		return auth.Viewer{}, fmt.Errorf("read the key: %w", err)
	}

	place, err := n.store.Client(ctx).Workspace.Get(across, found.WorkspaceID)
	if err != nil {
		return auth.Viewer{}, fmt.Errorf("read the workspace of the key: %w", err)
	}

	return auth.Viewer{UserID: found.UserID, WorkspaceID: place.ID, KeyID: found.ID, Role: auth.RoleOwner, Plan: place.Plan}, nil
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
