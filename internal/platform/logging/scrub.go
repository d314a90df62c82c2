package logging

import (
	"regexp"
	"strings"
)

// gone stands where a secret stood.
const gone = "[redacted]"

// A shape is how a secret is recognised: whatever matches is replaced by keep and gone.
type shape struct {
	hint    string // without which the pattern cannot match
	pattern *regexp.Regexp
	keep    string
}

// shapes are the secrets that texts of ours can hold. The random part goes, what says of what kind it was
// stays.
func shapes() []shape {
	return []shape{
		{"reel_", regexp.MustCompile(`(reel_[a-z]{2}_)[\w-]+`), "$1"},                                                  // keys, sessions
		{"whsec_", regexp.MustCompile(`(whsec_)[\w+/=-]+`), "$1"},                                                      // of webhooks
		{"v1,", regexp.MustCompile(`(v1,)[\w+/]{20,}=*`), "$1"},                                                        // their signatures
		{"=", regexp.MustCompile(`(?i)([?&; ](?:token|key|secret|password|signature|x-amz-[a-z-]+)=)[^&\s"']+`), "$1"}, // of addresses, of a DSN
		{"://", regexp.MustCompile(`(://)[^/\s"'@]+@`), "$1"},                                                          // users in addresses
		{"earer ", regexp.MustCompile(`((?i)bearer\s+)[^\s"',]+`), "$1"},
		{"asic ", regexp.MustCompile(`((?i)basic\s+)[\w+/=-]{8,}`), "$1"},
		{"/playback/", regexp.MustCompile(`(/playback/)[\w-]+`), "$1"}, // view tokens
		{"argon2id", regexp.MustCompile(`(\$argon2id\$)[\w$=,+/.-]+`), "$1"},
	}
}

var known = shapes()

// Scrub takes every secret out of a text that it can recognise.
func Scrub(text string) string {
	for _, s := range known {
		if strings.Contains(text, s.hint) {
			text = s.pattern.ReplaceAllString(text, s.keep+gone)
		}
	}

	return text
}
