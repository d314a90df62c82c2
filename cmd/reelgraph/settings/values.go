package settings

import (
	"errors"
	"math"
	"net"
	"net/netip"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/internal/platform/auth"
	"github.com/reelgraph/reelgraph/internal/platform/logging"
)

// errValue reports a value that is not allowed, without more detail.
var errValue = errors.New("not one of the allowed values")

// The functions below each return the set function of one kind of setting.

func address(to *string) func(string) error {
	return func(v string) error {
		_, port, err := net.SplitHostPort(v)
		if err != nil {
			return errValue
		}

		if n, err := strconv.Atoi(port); err != nil || n < 0 || n > math.MaxUint16 {
			return errValue
		}

		*to = v

		return nil
	}
}

func duration(to *time.Duration, most time.Duration) func(string) error {
	return func(v string) error {
		d, err := time.ParseDuration(v)
		if err != nil || d < 0 || d > most {
			return errValue
		}

		*to = d

		return nil
	}
}

func baseURL(to **url.URL) func(string) error {
	return func(v string) error {
		u, err := url.Parse(v)
		if err != nil || (u.Scheme != "http" && u.Scheme != https) || u.Host == "" ||
			u.RawQuery != "" || u.Fragment != "" || u.User != nil {
			return errValue
		}

		u.Path = strings.TrimRight(u.Path, "/")
		*to = u

		return nil
	}
}

func absolute(to *string) func(string) error {
	return func(v string) (err error) {
		*to, err = filepath.Abs(v)

		return err
	}
}

func database(to *string) func(string) error {
	return func(v string) error {
		u, err := url.Parse(v)
		if err != nil || (u.Scheme != "postgres" && u.Scheme != "postgresql") {
			return errValue
		}

		*to = v

		return nil
	}
}

// withSSLMode adds the default sslmode to a database address. The drivers differ: lib/pq requires encryption, pgx would
// accept none.
func withSSLMode(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return address // database has rejected it
	}

	query := u.Query()
	if query.Has("sslmode") {
		return address
	}

	query.Set("sslmode", "require")
	u.RawQuery = query.Encode()

	return u.String()
}

func blobURL(to **url.URL) func(string) error {
	return func(v string) error {
		u, err := url.Parse(v)
		if err != nil {
			return errValue
		}

		switch {
		case u.Scheme == "file" && u.Host == "" && filepath.IsAbs(u.Path) && u.RawQuery == "":
		case u.Scheme == "s3" && u.Host != "":
		default:
			return errValue
		}

		*to = u

		return nil
	}
}

// whole parses a whole number from 1 to a million.
func whole(to *int) func(string) error {
	const most = 1_000_000

	return func(v string) error {
		n, err := strconv.Atoi(v)
		if err != nil || n < 1 || n > most {
			return errValue
		}

		*to = n

		return nil
	}
}

func ranges(to *[]netip.Prefix) func(string) error {
	return func(v string) error {
		var all []netip.Prefix

		for part := range strings.SplitSeq(v, ",") {
			part = strings.TrimSpace(part)

			p, err := netip.ParsePrefix(part)
			if err != nil {
				ip, err := netip.ParseAddr(part)
				if err != nil {
					return errValue
				}

				p = netip.PrefixFrom(ip, ip.BitLen())
			}

			all = append(all, p.Masked())
		}

		*to = all

		return nil
	}
}

func queues(to *map[string]int) func(string) error {
	name := regexp.MustCompile(`^[a-z][a-z_]*$`)

	return func(v string) error {
		sizes := map[string]int{}
		*to = sizes

		if v == "0" {
			return nil
		}

		for part := range strings.SplitSeq(v, ",") {
			queue, text, _ := strings.Cut(strings.TrimSpace(part), "=")

			n, err := strconv.Atoi(text)
			if _, twice := sizes[queue]; err != nil || n < 1 || n > 1000 || twice || !name.MatchString(queue) {
				return errValue
			}

			sizes[queue] = n
		}

		return nil
	}
}

func headerName(to *string) func(string) error {
	token := regexp.MustCompile("^[A-Za-z0-9!#$%&'*+.^_`|~-]+$")

	return func(v string) error {
		if !token.MatchString(v) {
			return errValue
		}

		*to = v

		return nil
	}
}

func readable(to *string) func(string) error {
	return func(v string) error {
		f, err := os.Open(v)
		if err != nil {
			return err
		}

		*to = v

		return f.Close()
	}
}

func size(to *int64) func(string) error {
	shape := regexp.MustCompile(`^([0-9]+)(|KiB|MiB|GiB|TiB)$`)

	return func(v string) error {
		m := shape.FindStringSubmatch(v)
		if m == nil {
			return errValue
		}

		n, err := strconv.ParseInt(m[1], 10, 64)

		shift := map[string]int{"KiB": 10, "MiB": 20, "GiB": 30, "TiB": 40}[m[2]]
		if err != nil || n < 1 || n > math.MaxInt64>>shift {
			return errValue
		}

		*to = n << shift

		return nil
	}
}

func execution(interpret *bool) func(string) error {
	return func(value string) error {
		switch value {
		case "compiled", "interpreted":
			*interpret = value == "interpreted"

			return nil
		default:
			return errValue
		}
	}
}

func tier(to *auth.Plan) func(string) error {
	return func(v string) error {
		switch p := auth.Plan(v); p {
		case auth.PlanFree, auth.PlanPremium:
			*to = p

			return nil
		}

		return errValue
	}
}

func speechProvider(to *Speech) func(string) error {
	return func(v string) error {
		name, address, remote := strings.Cut(v, "+")
		if !remote {
			switch name {
			case "none":
				*to = Speech{}

				return nil
			case "pocketsphinx":
				*to = Speech{Provider: name}

				return nil
			}

			return errValue
		}

		u, err := url.Parse(address)
		if err != nil || (u.Scheme != "http" && u.Scheme != https) || u.Host == "" ||
			(name != "openai" && name != "whispercpp") {
			return errValue
		}

		*to = Speech{Provider: name, URL: u}

		return nil
	}
}

func wordLists(to *map[string][]string) func(string) error {
	language := regexp.MustCompile(`^[a-z]{2,3}$`)

	return func(v string) error {
		lists := map[string][]string{}

		for part := range strings.SplitSeq(v, ";") {
			lang, words, _ := strings.Cut(part, "=")

			lang = strings.TrimSpace(lang)
			if !language.MatchString(lang) {
				return errValue
			}

			for word := range strings.SplitSeq(words, ",") {
				word = strings.TrimSpace(word)
				if word == "" {
					return errValue
				}

				lists[lang] = append(lists[lang], word)
			}
		}

		*to = lists

		return nil
	}
}

func mailServer(to **url.URL) func(string) error {
	return func(v string) error {
		u, err := url.Parse(v)
		if err != nil || (u.Scheme != "smtp" && u.Scheme != "smtps") || u.Hostname() == "" {
			return errValue
		}

		*to = u

		return nil
	}
}

func secret(to *string) func(string) error {
	return func(v string) error {
		if len(v) < 32 {
			return errValue
		}

		*to = v

		return nil
	}
}

func origins(to *[]string) func(string) error {
	return func(v string) error {
		var all []string

		for part := range strings.SplitSeq(v, ",") {
			part = strings.TrimSpace(part)

			u, err := url.Parse(part)
			if err != nil || (u.Scheme != "http" && u.Scheme != https) || u.Host == "" || u.Scheme+"://"+u.Host != part {
				return errValue
			}

			all = append(all, part)
		}

		*to = all

		return nil
	}
}

func logForm(to *logging.Form) func(string) error {
	return func(v string) error {
		switch f := logging.Form(v); f {
		case logging.JSON, logging.Text:
			*to = f

			return nil
		}

		return errValue
	}
}

// pairs parses a list in OpenTelemetry's format: values may be escaped as in a URL.
func pairs(to *map[string]string) func(string) error {
	return func(v string) error {
		all := map[string]string{}

		for part := range strings.SplitSeq(v, ",") {
			name, value, found := strings.Cut(part, "=")

			value, err := url.PathUnescape(strings.TrimSpace(value))
			if name = strings.TrimSpace(name); err != nil || !found || name == "" {
				return errValue
			}

			all[name] = value
		}

		*to = all

		return nil
	}
}

func text(to *string) func(string) error {
	return func(v string) error {
		*to = v

		return nil
	}
}

func ratio(to *float64) func(string) error {
	return func(v string) error {
		f, err := strconv.ParseFloat(v, 64)
		if err != nil || !(f >= 0 && f <= 1) {
			return errValue
		}

		*to = f

		return nil
	}
}
