package main

import (
	"context"
	"strings"

	"github.com/reelgraph/reelgraph/cmd/reelgraph/doctor"
	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/engine/encode"
	"github.com/reelgraph/reelgraph/internal/system"
)

// described returns what operators may read about this process and its machine.
func (n *node) described() system.Node {
	media := n.config.Data
	if n.config.Blob.Scheme == "file" {
		media = n.config.Blob.Path
	}

	return system.Node{
		Version: release, Commit: commit(),
		Disk: func() (model.Disk, error) {
			total, free, err := encode.DiskBytes(media)

			return model.Disk{TotalBytes: total, FreeBytes: free, ReserveBytes: n.config.DiskReserve}, err
		},
		Examine: func(ctx context.Context) []*model.Finding {
			found := doctor.ExamineRunning(ctx, n.config)

			all := make([]*model.Finding, len(found))
			for i, f := range found {
				all[i] = finding(f)
			}

			return all
		},
	}
}

// finding returns a finding of the doctor as the graph shows it.
func finding(f doctor.Finding) *model.Finding {
	states := map[doctor.State]model.FindingState{
		doctor.OK: model.FindingStateOk, doctor.Warning: model.FindingStateWarning,
		doctor.Missing: model.FindingStateMissing, doctor.Fails: model.FindingStateFails,
	}
	shown := &model.Finding{Name: f.Thing, State: states[f.State()], Message: f.Saw, Remedies: []string{}}

	for line := range strings.SplitSeq(f.Remedy, "\n") {
		if line != "" {
			shown.Remedies = append(shown.Remedies, line)
		}
	}

	return shown
}
