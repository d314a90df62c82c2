package input

import (
	"fmt"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strings"

	"github.com/go-chi/chi/v5"

	"github.com/reelgraph/reelgraph/internal/platform/fault"
)

// Origins says where each part of an operation's input struct comes from. The fields have these tags:
//
//	path:"id"      a segment of the path, percent-decoded once; always a string
//	header:"Name"  a header as it was sent; always a string
//	query:"limit"  a query parameter, with the check, each and default tags of package input
//	body:"json"    the body, a struct with the tags of package input
//	body:"raw"     the body as it was sent, []byte
//
// Embedded structs without a body tag, and structs tagged path:"", contribute their fields. An input type may
// implement Checker for rules between query parameters.
type Origins struct {
	paths   []part
	headers []part
	Query   *Shape
	Body    []int  // index of the body's field; nil when there is none
	Shape   *Shape // shape of a JSON body
}

type part struct {
	name  string
	index []int
}

// NoBody is the body type of an operation without a body. It accepts an object without properties.
type NoBody struct{}

// OriginsOf compiles an input type. It panics if the type does not fit the path. This is a programming error, and it
// appears when the routes are built.
func OriginsOf(t reflect.Type, path string) *Origins {
	in := &Origins{Query: QueryShapeOf(t), Shape: ShapeOf(reflect.TypeFor[NoBody]())}
	in.parts(t, nil)

	var inPath []string

	for segment := range strings.SplitSeq(path, "/") {
		if strings.HasPrefix(segment, "{") {
			inPath = append(inPath, strings.Trim(segment, "{}"))
		}
	}

	for _, p := range in.paths {
		if !slices.Contains(inPath, p.name) {
			panic(fmt.Sprintf("input: %s has no segment {%s} for %s", path, p.name, t))
		}
	}

	if len(in.paths) != len(inPath) {
		panic(fmt.Sprintf("input: %s does not take every segment of %s", t, path))
	}

	return in
}

func (in *Origins) parts(t reflect.Type, index []int) {
	for i := range t.NumField() {
		f := t.Field(i)
		at := append(slices.Clone(index), i)
		name, isPath := f.Tag.Lookup("path")
		kind, isBody := f.Tag.Lookup("body")
		header, isHeader := f.Tag.Lookup("header")

		switch {
		case isPath && f.Type.Kind() == reflect.Struct:
			in.parts(f.Type, at)
		case (isPath || isHeader) && f.Type.Kind() != reflect.String:
			panic(fmt.Sprintf("input: %s.%s must be a string", t, f.Name))
		case isHeader:
			in.headers = append(in.headers, part{header, at})
		case isPath:
			in.paths = append(in.paths, part{name, at})
		case isBody && in.Body != nil:
			panic(fmt.Sprintf("input: %s has two bodies", t))
		case isBody && kind == "raw":
			in.Body, in.Shape = at, nil
		case isBody:
			in.Body, in.Shape = at, ShapeOf(f.Type)
		case f.Anonymous && f.Type.Kind() == reflect.Struct:
			in.parts(f.Type, at)
		}
	}
}

// Read fills rv, an addressable input struct, and returns all faults of the query and the body together.
func (in *Origins) Read(r *http.Request, body []byte, rv reflect.Value) error {
	for _, p := range in.paths {
		rv.FieldByIndex(p.index).SetString(segment(r, p.name))
	}

	for _, h := range in.headers {
		rv.FieldByIndex(h.index).SetString(r.Header.Get(h.name))
	}

	var faults Report

	readQuery(r.URL.RawQuery, rv, in.Query, &faults)
	in.Query.Finish(rv, 0, &faults)

	switch {
	case r.Method == http.MethodGet || r.Method == http.MethodHead:
	case in.Shape == nil:
		rv.FieldByIndex(in.Body).SetBytes(body)
	case in.Body == nil:
		var none NoBody

		DecodeBody(body, reflect.ValueOf(&none).Elem(), in.Shape, &faults)
	default:
		DecodeBody(body, rv.FieldByIndex(in.Body), in.Shape, &faults)
	}

	if f := fault.Invalid(faults.Fields()); f != nil {
		return f
	}

	return nil
}

// NeedsBody reports whether any rule refuses an empty body.
func (in *Origins) NeedsBody() bool {
	if in.Body == nil || in.Shape == nil {
		return in.Body != nil
	}

	var faults Report

	DecodeBody(nil, reflect.New(in.Shape.Type).Elem(), in.Shape, &faults)

	return len(faults.Fields()) > 0
}

// segment returns a path parameter. If the path was escaped, the router chi sees the path that Segments wrote. In this
// path only the slash and the percent sign are escaped.
func segment(r *http.Request, name string) string {
	value := chi.URLParam(r, name)
	if r.URL.RawPath == "" {
		return value
	}

	decoded, err := url.PathUnescape(value)
	if err != nil {
		return value
	}

	return decoded
}

// Segments decodes each segment of an escaped path before the router compares the path. An escaped slash therefore
// does not separate segments.
func Segments(next http.Handler) http.Handler {
	escape := strings.NewReplacer("%", "%25", "/", "%2F")

	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.RawPath == "" {
			next.ServeHTTP(w, r)

			return
		}

		all := strings.Split(r.URL.EscapedPath(), "/")

		for i, s := range all {
			if decoded, err := url.PathUnescape(s); err == nil {
				all[i] = escape.Replace(decoded)
			}
		}

		with := *r
		at := *r.URL
		at.RawPath = strings.Join(all, "/")
		with.URL = &at

		next.ServeHTTP(w, &with)
	})
}

// readQuery fills the properties of a query. It ignores unknown parameters. A known one must be given once
// and must not be empty.
func readQuery(raw string, rv reflect.Value, shape *Shape, faults *Report) {
	if len(shape.Properties) == 0 {
		return
	}

	seen := make([]bool, len(shape.Properties))

	for pair := range strings.SplitSeq(raw, "&") {
		name, value, _ := strings.Cut(pair, "=")

		name, err := url.QueryUnescape(name)
		if err != nil {
			continue // none of our parameters has such a name
		}

		i, known := shape.Lookup([]byte(name))
		if !known {
			continue
		}

		p := &shape.Properties[i]
		faults.Enter(p.Name)
		readParameter(p, rv.FieldByIndex(p.Index), value, seen[i], faults)
		faults.Leave()

		seen[i] = true
	}

	for i, was := range seen {
		p := &shape.Properties[i]

		switch {
		case was:
		case p.Value.Rules.Required:
			faults.AddAt(p.Name, RequiredRule)
		default:
			p.FillDefault(rv.FieldByIndex(p.Index))
		}
	}
}

func readParameter(p *Property, rv reflect.Value, value string, again bool, faults *Report) {
	value, err := url.QueryUnescape(value)

	switch {
	case again:
		faults.Add("must not be given twice")
	case err != nil:
		faults.Add("must be percent-encoded correctly")
	case value == "":
		faults.Add("must not be empty")
	default:
		p.Value.SetText(rv, value, faults)
	}
}

// ReadBody decodes a JSON body into the struct at the given pointer, as strictly as /v1 does, following the tags of
// package input. It reports all faults together.
func ReadBody(body []byte, into any) error {
	var faults Report

	DecodeBody(body, reflect.ValueOf(into).Elem(), ShapeOf(reflect.TypeOf(into).Elem()), &faults)

	if f := fault.Invalid(faults.Fields()); f != nil {
		return f
	}

	return nil
}
