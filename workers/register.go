// Package workers does the jobs: finds what a job is about, does the long part outside any
// transaction, and records the outcome and its event together. Each concern is a package below; start with Register.
package workers

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	"github.com/riverqueue/river"

	"github.com/reelgraph/reelgraph/internal/engine/stock"
	"github.com/reelgraph/reelgraph/internal/platform/jobs"
	"github.com/reelgraph/reelgraph/internal/platform/queue"
	rollup "github.com/reelgraph/reelgraph/workers/analytics"
	"github.com/reelgraph/reelgraph/workers/deliver"
	"github.com/reelgraph/reelgraph/workers/housekeeping"
	"github.com/reelgraph/reelgraph/workers/ingest"
	"github.com/reelgraph/reelgraph/workers/media"
	"github.com/reelgraph/reelgraph/workers/notify"
	"github.com/reelgraph/reelgraph/workers/render"
	hearing "github.com/reelgraph/reelgraph/workers/speech"
	"github.com/reelgraph/reelgraph/workers/still"
)

// Deps is what all workers of a process work with.
type Deps struct {
	Deliver deliver.Deps
	Fetch   *http.Client // of addresses that somebody else has chosen: webhook.NewClient
	Media   media.Deps
	Tell    notify.Deps
}

// Register makes every worker there is, and what goes on beside the jobs of a queue. A process knows them
// all, whichever queues it works.
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
	river.AddWorker(all, &housekeeping.Discard{Deps: d.Media})
	river.AddWorker(all, &housekeeping.Reclaim{Deps: d.Media})
	river.AddWorker(all, &housekeeping.Sweep{Deps: d.Media})
	river.AddWorker(all, &rollup.Roll{Store: d.Media.Store}) // figures
	river.AddWorker(all, &rollup.Days{Store: d.Media.Store})
	river.AddWorker(all, &render.Render{Deps: d.Media})       // render
	river.AddWorker(all, &hearing.Transcribe{Deps: d.Media})  // speech
	river.AddWorker(all, &notify.TellOfComment{Deps: d.Tell}) // mail
	river.AddWorker(all, &notify.TellOfInvitation{Deps: d.Tell})
	river.AddWorker(all, &notify.TellOfReset{Deps: d.Tell})
	river.AddWorker(all, &housekeeping.Stock{Deps: d.Media, Items: stock.Items()})

	return all, map[string]queue.Beside{jobs.QueueWebhook: delivering.Look}
}

// Periodic is what happens by itself. Every process that works registers it; one of them acts.
func Periodic() []*river.PeriodicJob {
	return []*river.PeriodicJob{housekeeping.SweepEvery(), deliver.UnparkEvery(), rollup.RollEvery(), rollup.DaysEvery()}
}

// queues are those that a process works unless it is told otherwise. One export keeps all cores busy
// by itself, and a recording may be listened to for hours; a probe waits for neither. Of pictures and
// probes there are twice as many places as one workspace may hold.
func queues() map[string]river.QueueConfig {
	return map[string]river.QueueConfig{
		jobs.QueueFigures: {MaxWorkers: 2}, // one for each of its kinds
		jobs.QueueMail:    {MaxWorkers: 2},
		jobs.QueueMedia:   {MaxWorkers: 4},
		jobs.QueueProbe:   {MaxWorkers: 4},
		jobs.QueueRender:  {MaxWorkers: 1},
		jobs.QueueSpeech:  {MaxWorkers: 1},
		jobs.QueueStock:   {MaxWorkers: 1},
		jobs.QueueWebhook: deliver.Queue(),
	}
}

// Queues are those to work, with how many of their jobs at once; nil sizes are the defaults. A queue
// that does not exist is an error. Whoever works media probes and makes figures as well, said or not: a
// setting that was written before they had queues of their own would otherwise leave uploads unread.
func Queues(sizes map[string]int) (map[string]river.QueueConfig, error) {
	known := queues()
	if sizes == nil {
		return known, nil
	}

	worked := map[string]river.QueueConfig{}

	for name, size := range sizes {
		config, ok := known[name]
		if !ok {
			return nil, fmt.Errorf("there is no queue %q; there are %s",
				name, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}

		config.MaxWorkers = size
		worked[name] = config
	}

	if _, media := worked[jobs.QueueMedia]; !media {
		return worked, nil
	}

	for _, name := range []string{jobs.QueueFigures, jobs.QueueProbe} {
		if _, said := worked[name]; !said {
			worked[name] = known[name]
		}
	}

	return worked, nil
}
