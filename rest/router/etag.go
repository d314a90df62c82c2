package router

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"strings"
)

const tagBytes = 8 // of the hash: 16 hex digits

// entityTag is "<rev>-<h>": h changes with everything the caller sees but the signatures of addresses,
// which are new with each answer.
func entityTag(revision int64, body []byte) string {
	sum := sha256.Sum256(unsigned(body))

	return fmt.Sprintf(`"%d-%s"`, revision, hex.EncodeToString(sum[:tagBytes]))
}

// signatures are the query parameters by which a signed address is known: our own and S3's.
var signatures = [][]byte{[]byte("token="), []byte("X-Amz-Signature=")}

// unsigned returns a JSON body without the query strings of signed addresses.
func unsigned(body []byte) []byte {
	address := []byte(`"http`)
	if !bytes.Contains(body, address) {
		return body
	}

	kept := make([]byte, 0, len(body))

	for {
		at := bytes.Index(body, address)
		if at < 0 {
			return append(kept, body...)
		}

		kept, body = append(kept, body[:at]...), body[at:]
		end := 1 + bytes.IndexByte(body[1:], '"') // an encoded address holds no quote
		path, query, found := bytes.Cut(body[:end], []byte("?"))

		if found && signed(query) && !bytes.HasSuffix(kept, []byte(`\`)) { // behind a backslash it is in a text
			kept = append(kept, path...)
		} else {
			kept = append(kept, body[:end]...)
		}

		body = body[end:]
	}
}

func signed(query []byte) bool {
	for pair := range bytes.SplitSeq(query, []byte("&")) {
		for _, s := range signatures {
			if bytes.HasPrefix(pair, s) {
				return true
			}
		}
	}

	return false
}

// unchanged reports whether an If-None-Match names the tag.
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
