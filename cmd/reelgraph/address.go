package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v3"

	"github.com/reelgraph/reelgraph/cmd/reelgraph/settings"
)

// addressName is the file of the data folder that holds the address of the running server.
const addressName = "address.json"

// whereabouts are the addresses of a server: for clients, and on this machine.
type whereabouts struct {
	BaseURL string `json:"baseUrl"`
	Listens string `json:"listens"`
	TLS     bool   `json:"tls,omitempty"`
}

func addressCommand(a app) *cli.Command {
	return &cli.Command{
		Name:  "address",
		Usage: "print the address of the running server, or the address in the settings if none runs",
		Action: func(ctx context.Context, _ *cli.Command) error {
			c, err := settings.Load(a.getenv)
			if err != nil {
				return err
			}

			_, err = fmt.Fprintln(a.stdout, inForce(ctx, c))

			return err
		},
	}
}

// announce writes the server's addresses to the data folder for other commands and returns a function that removes them. A
// failed write is only logged: a server with its database and bucket elsewhere may not write to its data folder.
func (n *node) announce(listens string) (silence func()) {
	path := filepath.Join(n.config.Data, addressName)

	content, err := json.Marshal(whereabouts{n.config.BaseURL.String(), settings.Reachable(listens), n.config.TLS()})
	if err == nil {
		err = os.WriteFile(path, content, 0o600)
	}

	if err != nil {
		n.log.Warn("cannot write the server address file; other commands will not find this server", slog.Any("error", err))

		return func() {}
	}

	return func() {
		// Another server on this folder may have replaced the file.
		if there, err := os.ReadFile(path); err != nil || string(there) != string(content) {
			return
		}

		if err := os.Remove(path); err != nil {
			n.log.Warn("cannot remove the server address file", slog.Any("error", err))
		}
	}
}

// inForce returns the base URL of the server that runs on the data folder, whatever its settings were, or that of these
// settings if none runs.
func inForce(ctx context.Context, c settings.Config) *url.URL {
	w, running := announced(ctx, c)

	said, err := url.Parse(w.BaseURL)
	if !running || err != nil || said.Host == "" {
		return c.BaseURL
	}

	return said
}

// announced returns the addresses that the running server wrote; false when none runs, for example after a crash.
func announced(ctx context.Context, c settings.Config) (whereabouts, bool) {
	var w whereabouts

	content, err := os.ReadFile(filepath.Join(c.Data, addressName))
	if err != nil || json.Unmarshal(content, &w) != nil {
		return w, false
	}

	return w, answers(ctx, w)
}

// answers reports whether a server is alive at its address on this machine.
func answers(ctx context.Context, w whereabouts) bool {
	ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
	defer cancel()

	answer, err := askHere(ctx, w.Listens, "/healthz", w.TLS)
	if err != nil {
		return false
	}

	return answer.Body.Close() == nil && answer.StatusCode == http.StatusOK
}

// askHere asks a server on this machine whether it is healthy. Its certificate is for another name than this address, so it is
// not checked; the response only says whether the server works.
func askHere(ctx context.Context, address, path string, secure bool) (*http.Response, error) {
	scheme := "http"
	if secure {
		scheme = "https"
	}

	r, err := http.NewRequestWithContext(ctx, http.MethodGet, scheme+"://"+address+path, http.NoBody)
	if err != nil {
		return nil, err
	}

	client := http.Client{Transport: &http.Transport{
		DisableKeepAlives: true,
		TLSClientConfig:   &tls.Config{MinVersion: tls.VersionTLS12, InsecureSkipVerify: true}, //nolint:gosec // see above
	}}

	return client.Do(r)
}
