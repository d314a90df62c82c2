package logging

import (
	"regexp"
	"strings"
)

// gone replaces a secret.
const gone = "[redacted]"

// A shape describes how to recognise a secret. A match is replaced by keep followed by gone.
type shape struct {
	hint    string // a text without this cannot match the pattern
	pattern *regexp.Regexp
	keep    string
}

// shapes are the secrets that our texts can contain. The random part is removed; the prefix that tells the
// kind of secret stays.
func shapes() []shape {
	return []shape{
		{"reel_", regexp.MustCompile(`(reel_[a-z]{2}_)[\w-]+`), "$1"},                                                  // API keys and sessions
		{"whsec_", regexp.MustCompile(`(whsec_)[\w+/=-]+`), "$1"},                                                      // webhook secrets
		{"v1,", regexp.MustCompile(`(v1,)[\w+/]{20,}=*`), "$1"},                                                        // webhook signatures
		{"=", regexp.MustCompile(`(?i)([?&; ](?:token|key|secret|password|signature|x-amz-[a-z-]+)=)[^&\s"']+`), "$1"}, // of addresses, of a DSN
		{"://", regexp.MustCompile(`(://)[^/\s"'@]+@`), "$1"},                                                          // users in addresses
		{"earer ", regexp.MustCompile(`((?i)bearer\s+)[^\s"',]+`), "$1"},
		{"asic ", regexp.MustCompile(`((?i)basic\s+)[\w+/=-]{8,}`), "$1"},
		{"/playback/", regexp.MustCompile(`(/playback/)[\w-]+`), "$1"}, // view tokens
		{"argon2id", regexp.MustCompile(`(\$argon2id\$)[\w$=,+/.-]+`), "$1"},
	}
}

var known = shapes()

// Scrub removes every secret that it recognises from a text.
func Scrub(text string) string {
	for _, s := range known {
		if strings.Contains(text, s.hint) {
			text = s.pattern.ReplaceAllString(text, s.keep+gone)
		}
	}

	return text
}
