package openapi

import (
	"net/http"
	"strconv"
	"strings"
)

const (
	refParameter = "#/components/parameters/"
	refHeader    = "#/components/headers/"
	refResponse  = "#/components/responses/"
	securityName = "apiKey"
)

func securitySchemes() Map[Security] {
	return Map[Security]{{securityName, Security{
		Type: "http", Scheme: "bearer", BearerFormat: "reel_pk_…",
		Description: "An API key. It acts as its owner, in its workspace: `Authorization: Bearer <API_KEY>`.",
	}}}
}

// everyAnswer lists the headers that every response has.
var everyAnswer = []struct {
	name, ref, description string
	kind, example          any
}{
	{
		"RateLimit-Policy", "RateLimitPolicy", "The rate limit: a quota of requests in a window of seconds.", "string",
		`"public-api";q=100;w=60`,
	},
	{
		"RateLimit", "RateLimit", "How many requests are left, and the seconds until the full quota is available.", "string",
		`"public-api";r=99;t=42`,
	},
	{"X-RateLimit-Limit", "RateLimitLimit", "How many requests a window allows.", "integer", 100},
	{"X-RateLimit-Remaining", "RateLimitRemaining", "How many requests are left.", "integer", 99},
	{"X-RateLimit-Reset", "RateLimitReset", "When the full quota is available again, in Unix milliseconds.", "integer", 1767323040000},
	{
		"X-Request-Id", "RequestId", "The id of the request in the server's log: yours, or one made by the server.", "string",
		"req_01jz8x3mpv0000000000000000",
	},
}

func everyHeader() Map[*Header] {
	var all Map[*Header]
	for _, h := range everyAnswer {
		all = all.With(h.name, &Header{Ref: refHeader + h.ref})
	}

	return all
}

func sharedHeaders() Map[*Header] {
	var all Map[*Header]

	for _, h := range everyAnswer {
		all = all.With(h.ref, header(h.description, h.kind.(string), h.example)) //nolint:forcetypeassert // the table above
	}

	return append(all, Map[*Header]{
		{"RetryAfter", header("The seconds to wait before the next attempt.", "integer", 18)},
		{"WWWAuthenticate", header("How to authenticate.", "string", "Bearer")},
		{"ETag", header("The revision and a digest of the response, for If-Match and If-None-Match.", "string", `"7-0f1e2d3c4b5a6978"`)},
		{"Location", header(
			"The address of the file, valid for at least an hour.", "string", "https://media.example.com/stills/still.jpg?token=signed")},
		{"IdempotencyReplayed", header(
			"`true` if this is the stored response of an earlier request with the same Idempotency-Key.", "string", "true")},
		{"Deprecation", header("Since when the operation is deprecated: `@` and Unix seconds.", "string", "@1767225600")},
		{"Sunset", header("When it will stop working, at least 180 days later.", "string", "Wed, 01 Jul 2026 00:00:00 GMT")},
		{"Link", header("Where the deprecation is explained.", "string", `<https://reelgraph.example.com/docs/versioning>; rel="deprecation"`)},
	}...)
}

func header(description, kind string, example any) *Header {
	schema := &Schema{Type: Types{kind}}
	if kind == "integer" {
		schema.Format = formatInteger
	}

	return &Header{Description: description, Schema: schema, Example: example}
}

func inHeader(name, description, example string, schema *Schema) Parameter {
	return Parameter{Name: name, In: "header", Description: description, Schema: schema, Example: example}
}

func sharedParameters() Map[Parameter] {
	any1 := func() *Schema { return &Schema{Type: Types{"string"}} }

	return Map[Parameter]{
		{"IdempotencyKey", inHeader("Idempotency-Key",
			"Executes the request only once, however often you send it within 24 hours: a repeated request "+
				"gets the first response again. The same key with a different request is refused.", "c1f7a0de-5b0a-4a52-9f52-0f3c1d6f7a11",
			&Schema{Type: Types{"string"}, MinLength: new(1), MaxLength: new(257), Pattern: "^[ -~]+$"})},
		{"IfMatch", inHeader("If-Match", "An ETag from an earlier response. If its revision is no longer the current one, nothing is changed "+
			"and the response is 409 `edit_conflict`.", `"7-0f1e2d3c4b5a6978"`, any1())},
		{"IfNoneMatch", inHeader("If-None-Match", "An ETag from an earlier response. If nothing has changed since, the response is 304 without "+
			"a body.", `"7-0f1e2d3c4b5a6978"`, any1())},
		{"RequestId", inHeader("X-Request-Id", "Your id for the request. The response and the log repeat it.", "my-request-1",
			&Schema{Type: Types{"string"}, MinLength: new(1), MaxLength: new(128), Pattern: "^[A-Za-z0-9._-]+$"})},
	}
}

// eventParameters returns the headers of a delivery.
func eventParameters() []Parameter {
	var all []Parameter

	for _, h := range []struct{ name, description, example string }{
		{"id", "The id of the message. It is the same for all attempts and endpoints.", "msg_01jz8x3mpv0000000000000000"},
		{"timestamp", "When this attempt was made, in Unix seconds.", "1767323000"},
		{
			"signature", "`v1,` and the base64 HMAC-SHA256 of `{id}.{timestamp}.{body}`. Several signatures are separated by spaces.",
			"v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=",
		},
	} {
		for _, prefix := range []string{"hook-", "webhook-"} {
			p := inHeader(prefix+h.name, h.description, h.example, &Schema{Type: Types{"string"}})
			p.Required = true
			all = append(all, p)
		}
	}

	return all
}

// failureName returns the name of an error response in the components.
func failureName(status int) string {
	return strings.ReplaceAll(http.StatusText(status), " ", "")
}

func failures(all []Failure) Map[*Response] {
	var answers Map[*Response]

	for _, f := range all {
		answer := &Response{Description: f.When, Codes: f.Codes, Headers: everyHeader(), Content: Map[*Media]{
			{"application/json", &Media{Schema: &Schema{Ref: refSchema + "Error"}, Example: f.Error}},
		}}

		if f.Later {
			answer.Headers = answer.Headers.With("Retry-After", &Header{Ref: refHeader + "RetryAfter"})
		}

		if f.Status == http.StatusUnauthorized {
			answer.Headers = answer.Headers.With("WWW-Authenticate", &Header{Ref: refHeader + "WWWAuthenticate"})
		}

		answers = answers.With(failureName(f.Status), answer)
	}

	return answers
}

func errorSchema(all []Failure) *Schema {
	var codes []any

	seen := map[string]bool{}

	for _, f := range all {
		for _, code := range f.Codes {
			if !seen[code] {
				codes = append(codes, code)
			}

			seen[code] = true
		}
	}

	return &Schema{
		Type: Types{"object"}, Description: "Why a request was refused.", Required: []string{"error", "message", "docsUrl"},
		Properties: Map[*Schema]{
			{"error", &Schema{Type: Types{"string"}, Enum: codes, Description: "A code for programs."}},
			{"message", &Schema{Type: Types{"string"}, Description: "A sentence for people. It names every invalid property."}},
			{"docsUrl", &Schema{Type: Types{"string"}, Format: "uri", Description: "Where the code is explained."}},
		},
	}
}

func rawExample(kind string) string {
	if strings.Contains(kind, "subrip") {
		return "1\n00:00:00,000 --> 00:00:02,000\nHello and welcome.\n"
	}

	if strings.Contains(kind, "vtt") {
		return "WEBVTT\n\n00:00.000 --> 00:02.000\nHello and welcome.\n"
	}

	return strconv.Quote(kind)
}
