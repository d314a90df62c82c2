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

// classify returns the public part of an error and logs the rest.
func (s *Server) classify(ctx context.Context, err error) *fault.Error {
	f, public := fault.As(err)
	if !public {
		f = s.o.Classify(err)
	}

	if f.Code == fault.ServerErrorCode && f.Cause != nil {
		s.o.Log.ErrorContext(ctx, "internal error in a GraphQL request", "requestId", middleware.RequestID(ctx), "error", f.Cause)
	}

	return f
}

// errors returns the errors of a request that is not executed.
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

// notOfEnum matches the validator's message for a value that an enum does not have.
var notOfEnum = regexp.MustCompile(`^Enum "(\w+)!?" cannot represent|does not exist in "(\w+)!?" enum|is not a valid (\w+)\.$`)

// withValues adds the values of the enum to such a message.
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

// inGraph adapts rules about a whole body to the graph, where the body is an input with fields.
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

// present returns the public error of a field.
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

// place returns the location of the field in the document. For an item of a list it is the location of the list.
func place(field *graphql.FieldContext) []gqlerror.Location {
	for ; field != nil; field = field.Parent {
		if at := field.Field.Field; at != nil && at.Position != nil {
			return []gqlerror.Location{{Line: at.Position.Line, Column: at.Position.Column}}
		}
	}

	return nil
}

// misfit returns the error of an argument that could not be coerced. gqlgen marks it by a path that extends from the
// field to the argument.
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
