package router

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"

	"github.com/reelgraph/reelgraph/rest/shape"
)

const tagBytes = 8 // of the hash: 16 hex digits

// entityTag returns "<rev>-<h>", where h changes with everything in the response except the signatures of addresses.
// body is the encoded response.
func entityTag(out shape.Reviser, body []byte) (string, error) {
	if s, is := out.(shape.Signed); is {
		var err error
		if body, err = shape.Encode(s.Unsigned()); err != nil {
			return "", err
		}
	}

	sum := sha256.Sum256(body)

	return fmt.Sprintf(`"%d-%s"`, out.Revision(), hex.EncodeToString(sum[:tagBytes])), nil
}

// unchanged reports whether If-None-Match contains the tag.
func unchanged(lines []string, tag string) bool {
	for _, line := range lines {
		for candidate := range strings.SplitSeq(line, ",") {
			candidate = strings.Trim(candidate, " \t")
			if candidate == "*" || strings.TrimPrefix(candidate, "W/") == tag {
				return true
			}
		}
	}

	return false
}
