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

// Target is a server and the requests to send to it.
type Target struct {
	// Addr is the server's host:port.
	Addr string
	// Requests are complete HTTP/1.1 requests. Each connection cycles through all of them, starting at a different
	// place.
	Requests [][]byte
	// Wrong is a text that marks a bad answer, such as GraphQL errors, which come with status 200.
	Wrong string
}

// Load describes the load: a number of open connections, each of which sends one request at a time.
type Load struct {
	Connections int
	Duration    time.Duration
}

// Answers holds the number of successful responses to a Load, and how long the Load ran.
type Answers struct {
	Count int
	Took  time.Duration
}

// answer parses one answer at the start of what a connection has received, and returns its size, or zero if it is
// incomplete. It implements only as much HTTP as needed, to leave the processor to the servers.
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

	return 0, nil, 0, errors.New("the answer has neither Content-Length nor chunks")
}

// chunks parses a chunked body and returns its size, or zero if it is incomplete.
func chunks(sent []byte) (body []byte, size int, err error) {
	for {
		line, rest, whole := bytes.Cut(sent[size:], []byte("\r\n"))
		if !whole {
			return nil, 0, nil
		}

		length, err := strconv.ParseInt(string(line), 16, 32)
		if err != nil {
			return nil, 0, fmt.Errorf("invalid chunk size: %q", line)
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

// Get returns a GET request. headers are lines such as "Accept: text/html".
func Get(path string, headers ...string) []byte {
	return request("GET "+path, headers, "")
}

// Post returns a POST request with a JSON body.
func Post(path, body string, headers ...string) []byte {
	return request("POST "+path, append(slices.Clip(headers),
		"Content-Type: application/json", "Content-Length: "+strconv.Itoa(len(body))), body)
}

func request(what string, headers []string, body string) []byte {
	lines := append([]string{what + " HTTP/1.1", "Host: 127.0.0.1", "Accept: application/json"}, headers...)

	return []byte(strings.Join(lines, "\r\n") + "\r\n\r\n" + body)
}
