// Package workers registers the workers of all jobs. A worker reads the rows that its job needs, does the long part
// of its work outside any transaction, and stores the outcome and its event in one transaction. Each concern has a
// package in a folder below. Start with Register.
package workers

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/internal/demo/story"
	"github.com/reelgraph/reelgraph/internal/engine/stock"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/queue"
	rollup "github.com/reelgraph/reelgraph/workers/analytics"
	"github.com/reelgraph/reelgraph/workers/deliver"
	"github.com/reelgraph/reelgraph/workers/demo"
	"github.com/reelgraph/reelgraph/workers/housekeeping"
	"github.com/reelgraph/reelgraph/workers/ingest"
	"github.com/reelgraph/reelgraph/workers/media"
	"github.com/reelgraph/reelgraph/workers/notify"
	"github.com/reelgraph/reelgraph/workers/render"
	hearing "github.com/reelgraph/reelgraph/workers/speech"
	"github.com/reelgraph/reelgraph/workers/still"
)

// Deps holds the dependencies of all workers of a process.
type Deps struct {
	Deliver deliver.Deps
	Demo    *story.Guide // required for the demo queue
	Fetch   *http.Client // for addresses that users choose: webhook.NewClient
	Media   media.Deps
	// Prepare requests the thumbnails of a video ahead. Nil leaves them to the first look.
	Prepare func(ctx context.Context, videoID string) error
	Tell    notify.Deps
}

// Register creates all workers. Every process registers all workers, even for queues whose jobs it does not run. For
// some queues, Register also returns a function that must run in parallel with the jobs of the queue.
func Register(d Deps) (*river.Workers, map[string]queue.Beside) {
	delivering := deliver.NewDeliver(d.Deliver)
	all := river.NewWorkers()

	river.AddWorker(all, delivering)                           // webhook
	river.AddWorker(all, &deliver.Unpark{Deliver: delivering}) // webhook
	river.AddWorker(all, &ingest.Probe{Deps: d.Media})         // probe
	river.AddWorker(all, &ingest.Look{Deps: d.Media})          // media
	river.AddWorker(all, &ingest.Measure{Deps: d.Media})
	river.AddWorker(all, &still.Extract{Deps: d.Media})
	river.AddWorker(all, &still.Thumbnail{Deps: d.Media, Client: d.Fetch})
	river.AddWorker(all, &still.Posters{Deps: d.Media, Prepare: d.Prepare})
	river.AddWorker(all, &housekeeping.Discard{Deps: d.Media})
	river.AddWorker(all, &housekeeping.Reclaim{Deps: d.Media})
	river.AddWorker(all, &housekeeping.Sweep{Deps: d.Media})
	river.AddWorker(all, &rollup.Roll{Store: d.Media.Store}) // figures
	river.AddWorker(all, &rollup.Days{Store: d.Media.Store})
	river.AddWorker(all, &demo.Fill{Deps: d.Media, Guide: d.Demo})
	river.AddWorker(all, &render.Render{Deps: d.Media})       // render
	river.AddWorker(all, &hearing.Transcribe{Deps: d.Media})  // speech
	river.AddWorker(all, &notify.TellOfComment{Deps: d.Tell}) // mail
	river.AddWorker(all, &notify.TellOfInvitation{Deps: d.Tell})
	river.AddWorker(all, &notify.TellOfReset{Deps: d.Tell})
	river.AddWorker(all, &housekeeping.Stock{Deps: d.Media, Items: stock.Items()})

	return all, map[string]queue.Beside{jobs.QueueWebhook: delivering.Look}
}

// Periodic returns the periodic jobs. Every process that runs jobs registers them. River inserts each job only once.
func Periodic() []*river.PeriodicJob {
	return []*river.PeriodicJob{housekeeping.SweepEvery(), deliver.UnparkEvery(), rollup.RollEvery(), rollup.DaysEvery()}
}

// queues returns the queues that a process works by default. An export uses all cores, and a transcription may take
// hours, so probes have their own queue. Pictures and probes have twice as many places as one workspace may use.
func queues() map[string]river.QueueConfig {
	return map[string]river.QueueConfig{
		jobs.QueueDemo:    {MaxWorkers: 1},
		jobs.QueueFigures: {MaxWorkers: 2}, // one for each kind of job
		jobs.QueueMail:    {MaxWorkers: 2},
		jobs.QueueMedia:   {MaxWorkers: 4},
		jobs.QueueProbe:   {MaxWorkers: 4},
		jobs.QueueRender:  {MaxWorkers: 1},
		jobs.QueueSpeech:  {MaxWorkers: 1},
		jobs.QueueStock:   {MaxWorkers: 1},
		jobs.QueueWebhook: deliver.Queue(),
	}
}

// Queues returns the queues whose jobs a process runs, and how many jobs of each queue run in parallel. If sizes is
// nil, it returns the defaults. It returns an error for an unknown queue. A process that runs the media queue also
// runs the queues for the demo, figures and probes, even if sizes does not contain them. Older settings do not contain
// them, and without them no upload would be probed.
func Queues(sizes map[string]int) (map[string]river.QueueConfig, error) {
	known := queues()
	if sizes == nil {
		return known, nil
	}

	worked := map[string]river.QueueConfig{}

	for name, size := range sizes {
		config, ok := known[name]
		if !ok {
			return nil, fmt.Errorf("unknown queue %q; the queues are %s",
				name, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}

		config.MaxWorkers = size
		worked[name] = config
	}

	if _, media := worked[jobs.QueueMedia]; !media {
		return worked, nil
	}

	for _, name := range []string{jobs.QueueDemo, jobs.QueueFigures, jobs.QueueProbe} {
		if _, said := worked[name]; !said {
			worked[name] = known[name]
		}
	}

	return worked, nil
}
