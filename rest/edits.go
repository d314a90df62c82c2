package rest

import (
	"context"
	"fmt"
	"reflect"
	"strings"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/video/effect"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

type applyVideoEditsIn struct {
	videoPath

	Body videoEdits `body:"json"`
}

// videoEdits holds the operations of a batch.
type videoEdits struct {
	Operations   []*videoEdit `json:"operations" check:"required,items=1..200"`
	BaseRevision *int64       `json:"baseRevision" check:"min=0"`
}

// Check implements input.Checker: every update must change something, and operationIds must be unique.
func (b *videoEdits) Check() []fault.Field {
	var faults []fault.Field

	names := make([]string, len(b.Operations))

	for i, o := range b.Operations {
		names[i] = o.edit().head().OperationID

		update := o.edit().operation().Update
		if update == nil {
			continue
		}

		for _, f := range input.Struct(update.Effect) {
			if f.Rule == input.SomeRule {
				faults = append(faults, fault.Field{
					Path: fmt.Sprintf("operations[%d]", i), Rule: "must name something to change (" + o.edit().head().Label() + ")",
				})
			}
		}
	}

	return append(faults, model.UniqueOperations(names)...)
}

type editsOut struct {
	Revision int64                    `json:"revision"`
	Results  []*model.VideoEditResult `json:"results"`
}

func applyVideoEdits(ctx context.Context, g Graph, in applyVideoEditsIn) (editsOut, error) {
	var batch model.ApplyVideoEditsInput
	for _, o := range in.Body.Operations {
		batch.Operations = append(batch.Operations, o.edit().operation())
	}

	done, err := g.Mutation().ApplyVideoEdits(ctx, in.ID, batch, in.Body.BaseRevision)
	if err != nil {
		return editsOut{}, err
	}

	return editsOut{Revision: done.Revision, Results: done.Results}, nil
}

// edit is one operation of a batch.
type edit interface {
	head() *editHead
	operation() *model.VideoEditOperation // the same operation for the graph
}

// edit returns the given operation.
func (o *videoEdit) edit() edit {
	for _, f := range reflect.ValueOf(o).Elem().Fields() {
		if f.Kind() == reflect.Pointer && !f.IsNil() {
			return f.Interface().(edit) //nolint:forcetypeassert // a test checks every field
		}
	}

	return nil
}

// editHead holds the fields that every operation has.
type editHead struct {
	Type        string `json:"type" check:"required"`
	OperationID string `json:"operationId" check:"required,chars=1..64"`
	ClipID      string `json:"clipId" check:"required,chars=1.."`
}

// Label implements input.Labelled.
func (h *editHead) Label() string { return model.OperationLabel(h.OperationID) }

func (h *editHead) head() *editHead { return h }

// kind returns the kind of effect of the operation, which is the end of its type.
func (h *editHead) kind() values.EffectKind {
	_, kind, _ := strings.Cut(h.Type, "_")

	return values.EffectKind(kind)
}

func (h *editHead) added(in effect.AddEffectInput) *model.VideoEditOperation {
	return &model.VideoEditOperation{Add: &model.AddEditInput{OperationID: h.OperationID, ClipID: h.ClipID, Effect: &in}}
}

func (h *editHead) updated(id string, in effect.UpdateEffectInput) *model.VideoEditOperation {
	return &model.VideoEditOperation{Update: &model.UpdateEditInput{
		OperationID: h.OperationID, Within: model.Place{ClipID: h.ClipID}, ID: id, Effect: &in,
	}}
}

func (h *editHead) removed(id string) *model.VideoEditOperation {
	return &model.VideoEditOperation{Remove: &model.RemoveEditInput{
		OperationID: h.OperationID, Within: model.Place{ClipID: h.ClipID, Kind: h.kind()}, ID: id,
	}}
}
