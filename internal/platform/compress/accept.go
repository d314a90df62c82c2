// Package compress sends text compressed with gzip or Brotli to clients that accept it.
package compress

import (
	"net/http"
	"strconv"
	"strings"
)

// Coding is a content coding, such as gzip. The zero value leaves content uncompressed.
type Coding string

// The codings.
const (
	Identity Coding = ""
	Brotli   Coding = "br"
	Gzip     Coding = "gzip"
)

// Negotiate returns the coding that has the highest weight in the header Accept-Encoding. If several have the same
// weight, it returns the one that is listed first in codings. It returns Identity if the client accepts none of
// codings or prefers uncompressed content.
func Negotiate(h http.Header, codings ...Coding) Coding {
	weights := map[string]float64{}

	for _, line := range h.Values("Accept-Encoding") {
		for element := range strings.SplitSeq(line, ",") {
			name, parameter, _ := strings.Cut(element, ";")

			name = strings.ToLower(strings.TrimSpace(name))
			if name == "x-gzip" { // RFC 9110, 8.4.1.3
				name = string(Gzip)
			}

			if weight, ok := weightOf(parameter); ok && name != "" {
				weights[name] = weight
			}
		}
	}

	weight := func(name string) float64 {
		if w, named := weights[name]; named {
			return w
		}

		return weights["*"]
	}

	best, most := Identity, 0.0

	for _, coding := range codings {
		if w := weight(string(coding)); w > most {
			best, most = coding, w
		}
	}

	if w, named := weights["identity"]; named && w > most {
		return Identity
	}

	return best
}

// weightOf parses the parameter of an element: nothing, or q with a number from 0 to 1. An element with
// another parameter is ignored.
func weightOf(parameter string) (float64, bool) {
	name, value, found := strings.Cut(strings.TrimSpace(parameter), "=")

	switch {
	case !found:
		return 1, strings.TrimSpace(parameter) == ""
	case !strings.EqualFold(strings.TrimSpace(name), "q"):
		return 0, false
	}

	weight, err := strconv.ParseFloat(strings.TrimSpace(value), 64)

	return weight, err == nil && weight >= 0 && weight <= 1
}
