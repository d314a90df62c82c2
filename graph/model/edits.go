package model

import (
	"fmt"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/video/effect"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// ApplyVideoEditsInput holds a list of changes to a video's effects that are applied together.
type ApplyVideoEditsInput struct {
	Operations []*VideoEditOperation `json:"operations" check:"required,items=1..200"`
}

// Check implements input.Checker: operationIds must be unique.
func (in *ApplyVideoEditsInput) Check() []fault.Field {
	names := make([]string, len(in.Operations))
	for i, o := range in.Operations {
		names[i] = o.operationID()
	}

	return UniqueOperations(names)
}

// UniqueOperations returns a fault for each operationId that an earlier operation already uses.
func UniqueOperations(names []string) []fault.Field {
	var faults []fault.Field

	first := map[string]int{}

	for i, name := range names {
		if at, taken := first[name]; taken {
			faults = append(faults, fault.Field{
				Path: fmt.Sprintf("operations[%d].operationId", i),
				Rule: fmt.Sprintf("must be unique, but %q is also that of operations[%d]", name, at),
			})

			continue
		}

		first[name] = i
	}

	return faults
}

// VideoEditOperation is one operation. Exactly one of its fields must be given.
type VideoEditOperation struct {
	Add    *AddEditInput    `json:"add"`
	Update *UpdateEditInput `json:"update"`
	Remove *RemoveEditInput `json:"remove"`
}

// Check implements input.Checker: exactly one field must be given.
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

// OperationLabel returns the text that identifies an operation in error messages. It is empty if the operation has no
// operationId.
func OperationLabel(operationID string) string {
	if operationID == "" {
		return ""
	}

	return fmt.Sprintf("operation %q", operationID)
}

// AddEditInput adds an effect to a clip.
type AddEditInput struct {
	OperationID string                 `json:"operationId" check:"required,chars=1..64"`
	ClipID      string                 `json:"clipId" check:"required,chars=1.."`
	Effect      *effect.AddEffectInput `json:"effect" check:"required"`
}

// UpdateEditInput changes an effect. The field Within is the clip id in the path of a REST request.
type UpdateEditInput struct {
	OperationID string                    `json:"operationId" check:"required,chars=1..64"`
	Within      Place                     `json:"-"`
	ID          string                    `json:"id" check:"required,chars=1.."`
	Effect      *effect.UpdateEffectInput `json:"effect" check:"required"`
}

// RemoveEditInput removes an effect. The field Within is the clip id in the path of a REST request.
type RemoveEditInput struct {
	OperationID string `json:"operationId" check:"required,chars=1..64"`
	Within      Place  `json:"-"`
	ID          string `json:"id" check:"required,chars=1.."`
}

// VideoEditResult is the result of one operation.
type VideoEditResult struct {
	OperationID string            `json:"operationId"`
	Type        values.EffectKind `json:"type"`
	ID          string            `json:"id"`
}
