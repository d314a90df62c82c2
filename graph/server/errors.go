package server

import (
	"context"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/99designs/gqlgen/graphql"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/gqlerror"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
	"github.com/reelgraph/reelgraph/internal/platform/input"
	"github.com/reelgraph/reelgraph/internal/platform/middleware"
)

// classify finds what the caller may know of an error, and tells the log the rest.
func (s *Server) classify(ctx context.Context, err error) *fault.Error {
	f, public := fault.As(err)
	if !public {
		f = s.o.Classify(err)
	}

	if f.Code == fault.ServerErrorCode && f.Cause != nil {
		s.o.Log.ErrorContext(ctx, "server error in the graph", "requestId", middleware.RequestID(ctx), "error", f.Cause)
	}

	return f
}

// errors are those of a request that is not executed.
func (s *Server) errors(ctx context.Context, err error) gqlerror.List {
	var (
		written   writtenError
		transport *middleware.RefusalError
		method    notAllowedError
	)

	switch {
	case errors.As(err, &written):
		list := make(gqlerror.List, len(written.List))
		for i, e := range written.List {
			list[i] = &gqlerror.Error{Message: s.withValues(e.Message), Locations: e.Locations, Extensions: s.extensions(ctx, fault.BadRequestCode)}
		}

		return list
	case errors.As(err, &method):
		return gqlerror.List{s.public(ctx, fault.BadRequest(method.what+" is only served by "+method.methods+"."))}
	case errors.As(err, &transport):
		return gqlerror.List{s.public(ctx, transport.Fault)}
	default:
		return gqlerror.List{s.public(ctx, s.classify(ctx, err))}
	}
}

// notOfEnum is how the validator says that a value is none of an enum's.
var notOfEnum = regexp.MustCompile(`^Enum "(\w+)!?" cannot represent|does not exist in "(\w+)!?" enum|is not a valid (\w+)\.$`)

// withValues adds the values of an enum to a message that one was missed.
func (s *Server) withValues(message string) string {
	found := notOfEnum.FindStringSubmatch(message)
	if found == nil {
		return message
	}

	enum := s.schema.Schema().Types[strings.Join(found[1:], "")]
	if enum == nil || enum.Kind != ast.Enum {
		return message
	}

	return message + " It is one of " + strings.Join(namesOf(enum.EnumValues), ", ") + "."
}

func (s *Server) public(ctx context.Context, f *fault.Error) *gqlerror.Error {
	f = inGraph(f)

	return &gqlerror.Error{Err: f, Message: f.Message, Extensions: s.extensions(ctx, f.Code)}
}

// inGraph says in words of the graph what rules say of a body as a whole: here it is an input, and has fields.
func inGraph(f *fault.Error) *fault.Error {
	whole := func(field fault.Field) bool { return field.Path == "" && strings.HasPrefix(field.Rule, "must ") }
	some := func(field fault.Field) bool { return field.Rule == input.SomeRule }

	if !slices.ContainsFunc(f.Fields, whole) && !slices.ContainsFunc(f.Fields, some) {
		return f
	}

	fields := slices.Clone(f.Fields)

	for i := range fields {
		if whole(fields[i]) {
			fields[i].Path = "input"
		}

		if some(fields[i]) {
			fields[i].Rule = "must have at least one field"
		}
	}

	return f.Saying(fault.Invalid(fields).Message)
}

func (s *Server) extensions(ctx context.Context, code fault.Code) map[string]any {
	return map[string]any{
		"code":      code,
		"requestId": middleware.RequestID(ctx),
		"docsUrl":   s.o.BaseURL + "/docs/errors#" + string(code),
	}
}

// present makes the public error of one that a field ended in.
func (s *Server) present(ctx context.Context, err error) *gqlerror.Error {
	var placed *gqlerror.Error

	errors.As(err, &placed)

	f := misfit(ctx, placed)
	if f == nil {
		f = s.classify(ctx, err)
	}

	out := s.public(ctx, f)

	if field := graphql.GetFieldContext(ctx); field != nil {
		out.Path = field.Path()
		out.Locations = place(field)
	}

	return out
}

// place is where the document names the field. An item of a list is where the list is.
func place(field *graphql.FieldContext) []gqlerror.Location {
	for ; field != nil; field = field.Parent {
		if at := field.Field.Field; at != nil && at.Position != nil {
			return []gqlerror.Location{{Line: at.Position.Line, Column: at.Position.Column}}
		}
	}

	return nil
}

// misfit is the fault of an argument that could not be coerced. gqlgen tells of it by a path that
// goes on, beyond the field, to the argument.
func misfit(ctx context.Context, placed *gqlerror.Error) *fault.Error {
	field := graphql.GetFieldContext(ctx)
	if placed == nil || field == nil {
		return nil
	}

	if _, ours := fault.As(placed); ours {
		return nil
	}

	at := len(field.Path())
	if len(placed.Path) <= at {
		return nil
	}

	rule := strings.TrimSuffix(placed.Message, ".")
	if !strings.HasPrefix(rule, "must ") {
		rule = "is not accepted: " + rule
	}

	return fault.Invalid([]fault.Field{{Path: placed.Path[at:].String(), Rule: rule}})
}
