package openapi

import (
	"slices"
	"strings"
)

// maxDepth limits the depth of an example of a recursive type.
const maxDepth = 12

// vocabulary holds example values by property name. A test checks that they satisfy every schema of the API. Other
// examples are made from the schema.
var vocabulary = map[string]any{
	"aspectRatio": "16:9", "country": "DE", "durationSeconds": 42.5, "maxDurationSeconds": 42.5, "email": "ada@example.com",
	"emoji": "🎬", "name": "Product tour", "title": "Introduction", "description": "What is new this month.",
	"message": "No video was found in the file.", "code": "unreadable", "text": "Hello and welcome.", "language": "en",
	"secret": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "key": "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
	"url": "https://media.example.com/file", "downloadUrl": "https://media.example.com/downloads/film.mp4?token=signed",
	"uploadUrl": "https://media.example.com/uploads/film?token=signed", "videoName": "Product tour", "playlistName": "Onboarding",
	"embedPage":      "https://reelgraph.example.com/video/vid_01jz8x3mpv0000000000000000/embed",
	"viewPage":       "https://reelgraph.example.com/video/vid_01jz8x3mpv0000000000000000/view",
	"referrerDomain": "example.org", "query": "product", "cursor": "opaque", "nextCursor": nil, "disabledReason": nil,
	"startTimeMs": 1000.0, "endTimeMs": 1500.0, "durationMs": 2000.0, "fromMs": 1000.0, "toMs": 2000.0, "atMs": 1000.0, "timeMs": 1000.0,
	"startSeconds": 1.0, "endSeconds": 2.5, "timestampSeconds": 1.5, "width": 1920.0, "height": 1080.0, "views": 12.0,
	"progress": 100.0, "intensity": 0.5, "scale": 2.0, "volume": 1.0, "revision": 7.0, "timezone": "Europe/Berlin",
	"speed": "1", "fps": 30.0, "bytes": 5242880.0,
	"startDate": "2026-01-01", "endDate": "2026-01-31", "date": "2026-01-01", "filename": "film.mp4", "payload": map[string]any{},
	"xPct": 10.0, "yPct": 10.0, "widthPct": 30.0, "heightPct": 20.0, "hasMore": false, "password": "open sesame", "status": "ok",
	"cut": false, "hidden": false, "responseStatus": 200.0, "nextAttemptAt": nil, "error": nil,
	"language-code": "en", "contentType": "video/mp4", "allowedEmbedDomains": []any{"example.com"},
}

// done holds the states of success. Examples next to them must fit, such as a progress of 100.
var done = []any{"ready", "completed", "succeeded"}

// unfinished lists the properties that exist only while something is in progress or has failed.
var unfinished = []string{"error", "uploadUrl", "expiresAt", "interrupted"}

// prefixes holds the prefixes of ids by object.
var prefixes = map[string]string{
	"video": "vid", "clip": "cl", "export": "exp", "source": "su", "playlist": "pl", "group": "pg", "playlist group": "pg",
	"tag": "tag", "user": "usr", "collaborator": "usr", "endpoint": "ep", "message": "msg", "attempt": "att", "view": "view",
	"library": "lib", "library item": "lib", "preset": "preset",
}

// exampleID returns an id in the form of this server, chosen by the names of the property and its owner.
func exampleID(property, owner string) string {
	thing := strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(property, "Id"), "Ids"))
	if thing == "id" || thing == "" {
		thing = owner
	}

	if prefix, known := prefixes[thing]; known {
		return prefix + "_01jz8x3mpv0000000000000000"
	}

	if strings.HasSuffix(thing, "source") {
		return "su_01jz8x3mpv0000000000000000"
	}

	return "fx_01jz8x3mpv0000000000000000"
}

// examples adds examples to every body and parameter.
func (w *writer) examples() {
	rows := map[string]*Row{}
	for i := range w.Rows {
		rows[w.Rows[i].ID] = &w.Rows[i]
	}

	for _, path := range w.doc.Paths {
		for _, method := range path.Value {
			o := method.Value

			for i := range o.Parameters {
				if p := &o.Parameters[i]; p.Ref == "" && p.Example == nil {
					p.Example = w.example(p.Schema, p.Name, "", 0, true)
				}
			}

			if body := o.RequestBody; body != nil {
				if m := body.Content.Get("application/json"); m != nil {
					m.Example = w.asking(m.Schema, rows[o.OperationID])
				}
			}

			m := o.Responses.Get("200").Content.Get("application/json")
			m.Example = w.example(m.Schema, "", "", 0, true)
		}
	}
}

// asking returns the example of a request: the given one, or one with the required properties.
func (w *writer) asking(schema *Schema, r *Row) any {
	if r != nil && r.Example != nil {
		return r.Example
	}

	return w.example(schema, "", "", 0, false)
}

// example returns a value for a schema. Responses contain every property of a successful state; requests contain the
// required ones.
func (w *writer) example(schema *Schema, name, owner string, depth int, all bool) any {
	if depth > maxDepth {
		return nil
	}

	if target, ok := strings.CutPrefix(schema.Ref, refSchema); ok {
		return w.example(w.schemas.all.Get(target), name, target, depth, all)
	}

	switch {
	case schema.Const != nil:
		return schema.Const
	case schema.Enum != nil:
		return preferred(schema.Enum, slices.Concat(done, []any{vocabulary[name]}))
	case schema.OneOf != nil:
		return w.example(schema.OneOf[0], name, owner, depth, all)
	case schema.AnyOf != nil: // one of the schemas, or null
		if known, ok := vocabulary[name]; ok && known == nil {
			return nil
		}

		return w.example(schema.AnyOf[0], name, owner, depth, all)
	case len(schema.Type) == 0:
		return vocabulary[name]
	}

	switch schema.Type[0] {
	case "object":
		return w.exampleObject(schema, owner, depth, all)
	case "array":
		if known, ok := vocabulary[name]; ok && !all {
			return known
		}

		item := w.example(schema.Items, strings.TrimSuffix(name, "s"), owner, depth+1, all)
		if item == nil {
			return []any{}
		}

		return []any{item}
	case "boolean":
		return exampleOf[bool](name, true)
	case "string":
		return exampleString(schema, name, owner)
	default:
		return exampleNumber(schema, name)
	}
}

func (w *writer) exampleObject(schema *Schema, owner string, depth int, all bool) any {
	var object Map[any]

	if extra, ok := schema.AdditionalProperties.(*Schema); ok {
		return Map[any]{{"key", w.example(extra, "", owner, depth+1, all)}}
	}

	for i, p := range schema.Properties {
		required := false
		for _, r := range schema.Required {
			required = required || r == p.Name
		}

		first := !all && i == 0 && len(schema.Required) == 0 && schema.MinProperties != nil
		if required || first || all && !slices.Contains(unfinished, p.Name) {
			object = object.With(p.Name, w.example(p.Value, p.Name, owner, depth+1, all))
		}
	}

	return object
}

// preferred returns the first value that is among the wishes, or else the first.
func preferred(values, wishes []any) any {
	if at := slices.IndexFunc(values, func(v any) bool { return slices.Contains(wishes, v) }); at >= 0 {
		return values[at]
	}

	return values[0]
}

func exampleOf[T any](name string, otherwise T) any {
	if known, ok := vocabulary[name].(T); ok {
		return known
	}

	return otherwise
}

func exampleString(schema *Schema, name, owner string) any {
	known, isKnown := vocabulary[name]

	switch {
	case isKnown && (known != nil || len(schema.Type) > 1):
		return known
	case schema.Format == "date-time":
		return "2026-01-02T03:04:05.678Z"
	case schema.Format == "uri":
		return "https://media.example.com/" + strings.ToLower(name)
	case strings.Contains(schema.Pattern, "#"):
		return "#3366FFFF"
	case name == "id" || strings.HasSuffix(name, "Id"):
		return exampleID(name, ownerThing(owner))
	case schema.MaxLength != nil && *schema.MaxLength < len(name):
		return "a"
	default:
		return "text"
	}
}

// things lists what type names are about, longer names first.
var things = []string{
	"endpoint", "attempt", "message", "group", "library", "export", "source", "clip", "playlist", "tag", "collaborator", "video",
}

// ownerThing returns what a type is about: video for VideoDetail, endpoint for WebhookEndpoint.
func ownerThing(owner string) string {
	owner = strings.ToLower(owner)

	for _, thing := range things {
		if strings.Contains(owner, thing) {
			return thing
		}
	}

	return owner
}

func exampleNumber(schema *Schema, name string) any {
	n, known := vocabulary[name].(float64)
	if !known {
		n = 1
	}

	if low := schema.Minimum; low != nil && n < *low {
		n = *low
	}

	if high := schema.Maximum; high != nil && n > *high {
		n = *high
	}

	if low := schema.ExclusiveMinimum; low != nil && n <= *low {
		n = *low + 1
	}

	return n
}
