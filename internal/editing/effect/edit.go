package effect

import (
	"errors"
	"fmt"
	"strings"

	"github.com/reelgraph/reelgraph/graph/model"
	"github.com/reelgraph/reelgraph/internal/platform/fault"
	effects "github.com/reelgraph/reelgraph/internal/video/effect"
	"github.com/reelgraph/reelgraph/internal/video/values"
)

// editsOf converts the operations of a batch into edits.
func editsOf(in model.ApplyVideoEditsInput) []Edit {
	edits := make([]Edit, len(in.Operations))

	for i, o := range in.Operations {
		switch {
		case o.Add != nil:
			edits[i] = Adding(o.Add.ClipID, o.Add.Effect)
			edits[i].operationID = o.Add.OperationID
		case o.Update != nil:
			edits[i] = updating(o.Update.Within.ClipID, o.Update.ID, o.Update.Effect)
			edits[i].operationID = o.Update.OperationID
		default:
			edits[i] = removing(o.Remove.Within.ClipID, o.Remove.ID, o.Remove.Within.Kind)
			edits[i].operationID = o.Remove.OperationID
		}

		edits[i].place = i
	}

	return edits
}

// Edit is one operation on the effects of a clip: it adds, changes or removes an effect.
type Edit struct {
	clipID string
	kind   values.EffectKind // empty means any kind, for a removal
	id     string            // the id of the effect to change or remove
	add    *effects.AddEffectInput
	update *effects.UpdateEffectInput
	all    bool // about all effects of the kind instead of a named one
	alone  bool // whether the effect was named without its clip

	InGraph bool // whether the caller uses the inputs of the graph instead of REST bodies

	operationID string
	place       int // the position in the batch; used only with an operationID
}

// Adding returns an Edit that adds the given effect to a clip.
func Adding(clipID string, in *effects.AddEffectInput) Edit {
	return Edit{clipID: clipID, kind: in.Kind(), add: in}
}

// updating returns the edit that changes an effect.
func updating(clipID, id string, in *effects.UpdateEffectInput) Edit {
	return Edit{clipID: clipID, kind: in.Kind(), id: id, update: in}
}

// removing returns the edit that removes an effect from a clip. Without a kind it removes an effect of any kind.
func removing(clipID, id string, kind values.EffectKind) Edit {
	return Edit{clipID: clipID, id: id, kind: kind}
}

// at returns the path of a field in the request, as the caller wrote it.
func (e Edit) at(field string) string {
	var path []string

	if e.operationID != "" {
		path = append(path, fmt.Sprintf("operations[%d]", e.place))
	}

	switch {
	case field == "":
	case e.InGraph:
		path = append(path, e.within(field)...)
	case field == "type" && e.kind == values.EffectKindZoom && e.operationID != "":
		path = append(path, "zoomType") // the operation has its own type
	default:
		path = append(path, field)
	}

	return strings.Join(path, ".")
}

// within returns the path of a field in the graph's input of an edit.
func (e Edit) within(field string) []string {
	k, _ := effects.Of(e.kind)

	verb := "remove"
	if e.add != nil {
		verb = "add"
	} else if e.update != nil {
		verb = "update"
	}

	switch batch := e.operationID != ""; {
	case field == k.ID || field == "id":
		return []string{verb, "id"} // named only in batches
	case field == "clipId" && batch:
		return []string{verb, field}
	case field == "clipId":
		return []string{field}
	case batch:
		return []string{verb, "effect", k.Input, field}
	default:
		return []string{k.Input, field}
	}
}

// named adds the operation of a batch to an error message.
func (e Edit) named(sentence string) string {
	if e.operationID == "" {
		return sentence
	}

	return sentence + " (" + model.OperationLabel(e.operationID) + ")"
}

// Invalid returns a bad_request that lists the given faults of the edit. It returns nil if there are no faults.
func (e Edit) Invalid(faults ...fault.Field) error {
	if len(faults) == 0 {
		return nil
	}

	placed := make([]fault.Field, len(faults))
	for i, f := range faults {
		placed[i] = fault.Field{Path: e.at(f.Path), Rule: e.named(f.Rule)}
	}

	return fault.Invalid(placed)
}

// missing returns not_found for something that a field of the edit names.
func (e Edit) missing(noun, field string) error {
	if e.operationID != "" {
		noun += " at " + e.at(field)
	}

	return fault.NotFound(e.named(noun))
}

// missingClip returns not_found for the clip of an edit, or for its effect if that was named without its clip.
func (e Edit) missingClip() error {
	if e.alone {
		return e.missingEffect()
	}

	return e.missing("clip", "clipId")
}

// missingEffect returns not_found for the effect to change or remove.
func (e Edit) missingEffect() error {
	k, known := effects.Of(e.kind)
	if !known {
		return e.missing("effect", "id")
	}

	return e.missing(k.Noun, k.ID)
}

// about adds the operation to an error that does not name it yet.
func (e Edit) about(err error) error {
	public, isPublic := errors.AsType[*fault.Error](err)
	if e.operationID == "" || !isPublic || public.Fields != nil || public.Code == fault.NotFoundCode {
		return err
	}

	return public.Saying(fmt.Sprintf("Operation %q: %s", e.operationID, public.Message))
}
