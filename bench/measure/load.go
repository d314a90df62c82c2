package measure

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Target is a server and what it is asked.
type Target struct {
	// Addr is its host:port.
	Addr string
	// Requests are whole HTTP/1.1 requests. Each connection goes through all of them again and again,
	// beginning at a place of its own.
	Requests [][]byte
	// Wrong is a text that no good answer holds, such as the errors of GraphQL, which come with 200.
	Wrong string
}

// Load is how a server is asked: over connections that stay open, each with one request at a time.
type Load struct {
	Connections int
	Duration    time.Duration
}

// Answers are the good answers to a Load.
type Answers struct {
	Count int
	Took  time.Duration
}

// answer is one whole answer at the beginning of what a connection has sent, and how much of it that is; zero
// is that there is more to come. It knows no more of HTTP than servers need to be measured, so that they have
// the processor.
func answer(sent []byte) (status int, body []byte, size int, err error) {
	end := bytes.Index(sent, []byte("\r\n\r\n"))
	if end < 0 {
		return 0, nil, 0, nil
	}

	head, rest := sent[:end+2], sent[end+4:]

	line, fields, _ := bytes.Cut(head, []byte("\r\n"))
	if len(line) < len("HTTP/1.1 200") {
		return 0, nil, 0, fmt.Errorf("no status line: %q", line)
	}

	if status, err = strconv.Atoi(string(line[9:12])); err != nil {
		return 0, nil, 0, fmt.Errorf("no status: %q", line)
	}

	for len(fields) > 0 {
		line, fields, _ = bytes.Cut(fields, []byte("\r\n"))
		name, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimSpace(value)

		switch {
		case bytes.EqualFold(name, []byte("Content-Length")):
			length, err := strconv.Atoi(string(value))
			if err != nil {
				return 0, nil, 0, fmt.Errorf("no length: %q", line)
			}

			if len(rest) < length {
				return 0, nil, 0, nil
			}

			return status, rest[:length], end + 4 + length, nil
		case bytes.EqualFold(name, []byte("Transfer-Encoding")) && bytes.EqualFold(value, []byte("chunked")):
			body, length, err := chunks(rest)
			if length == 0 {
				return 0, nil, 0, err
			}

			return status, body, end + 4 + length, nil
		}
	}

	return 0, nil, 0, errors.New("an answer of unknown length")
}

// chunks is a body in chunks, and how much of what was sent it is; zero is that there is more to come.
func chunks(sent []byte) (body []byte, size int, err error) {
	for {
		line, rest, whole := bytes.Cut(sent[size:], []byte("\r\n"))
		if !whole {
			return nil, 0, nil
		}

		length, err := strconv.ParseInt(string(line), 16, 32)
		if err != nil {
			return nil, 0, fmt.Errorf("no size of a chunk: %q", line)
		}

		if int64(len(rest)) < length+2 {
			return nil, 0, nil
		}

		body = append(body, rest[:length]...)
		size += len(line) + 2 + int(length) + 2

		if length == 0 {
			return body, size, nil
		}
	}
}

// Get is a GET request; headers are lines such as "Accept: text/html".
func Get(path string, headers ...string) []byte {
	return request("GET "+path, headers, "")
}

// Post is a POST request of JSON.
func Post(path, body string, headers ...string) []byte {
	return request("POST "+path, append(slices.Clip(headers),
		"Content-Type: application/json", "Content-Length: "+strconv.Itoa(len(body))), body)
}

func request(what string, headers []string, body string) []byte {
	lines := append([]string{what + " HTTP/1.1", "Host: 127.0.0.1", "Accept: application/json"}, headers...)

	return []byte(strings.Join(lines, "\r\n") + "\r\n\r\n" + body)
}
