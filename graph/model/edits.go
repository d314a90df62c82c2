package model

import (
	"fmt"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/video/effect"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// ApplyVideoEditsInput are edits of a video's effects that are made as one.
type ApplyVideoEditsInput struct {
	Operations []*VideoEditOperation `json:"operations" check:"required,items=1..200"`
}

// Check implements input.Checker: no two operations have one operationId.
func (in *ApplyVideoEditsInput) Check() []fault.Field {
	names := make([]string, len(in.Operations))
	for i, o := range in.Operations {
		names[i] = o.operationID()
	}

	return UniqueOperations(names)
}

// UniqueOperations refuses an operationId that an earlier operation has.
func UniqueOperations(names []string) []fault.Field {
	var faults []fault.Field

	first := map[string]int{}

	for i, name := range names {
		if at, taken := first[name]; taken {
			faults = append(faults, fault.Field{
				Path: fmt.Sprintf("operations[%d].operationId", i),
				Rule: fmt.Sprintf("must be unique, and %q is that of operations[%d]", name, at),
			})

			continue
		}

		first[name] = i
	}

	return faults
}

// VideoEditOperation is one edit: exactly one field is given.
type VideoEditOperation struct {
	Add    *AddEditInput    `json:"add"`
	Update *UpdateEditInput `json:"update"`
	Remove *RemoveEditInput `json:"remove"`
}

// Check implements input.Checker: exactly one.
func (o *VideoEditOperation) Check() []fault.Field {
	return effect.ExactlyOne("of add, update and remove", o.Add != nil, o.Update != nil, o.Remove != nil)
}

func (o *VideoEditOperation) operationID() string {
	switch {
	case o.Add != nil:
		return o.Add.OperationID
	case o.Update != nil:
		return o.Update.OperationID
	case o.Remove != nil:
		return o.Remove.OperationID
	default:
		return ""
	}
}

// Label implements input.Labelled.
func (o *VideoEditOperation) Label() string { return OperationLabel(o.operationID()) }

// OperationLabel is what a fault calls the operation it is about; empty without a name.
func OperationLabel(operationID string) string {
	if operationID == "" {
		return ""
	}

	return fmt.Sprintf("operation %q", operationID)
}

// AddEditInput lays a new effect on a clip.
type AddEditInput struct {
	OperationID string                 `json:"operationId" check:"required,chars=1..64"`
	ClipID      string                 `json:"clipId" check:"required,chars=1.."`
	Effect      *effect.AddEffectInput `json:"effect" check:"required"`
}

// UpdateEditInput changes an effect. Within is where REST names it.
type UpdateEditInput struct {
	OperationID string                    `json:"operationId" check:"required,chars=1..64"`
	Within      Place                     `json:"-"`
	ID          string                    `json:"id" check:"required,chars=1.."`
	Effect      *effect.UpdateEffectInput `json:"effect" check:"required"`
}

// RemoveEditInput takes an effect off its clip. Within is where REST names it.
type RemoveEditInput struct {
	OperationID string `json:"operationId" check:"required,chars=1..64"`
	Within      Place  `json:"-"`
	ID          string `json:"id" check:"required,chars=1.."`
}

// VideoEditResult is what became of one operation.
type VideoEditResult struct {
	OperationID string            `json:"operationId"`
	Type        values.EffectKind `json:"type"`
	ID          string            `json:"id"`
}
