package doctor

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os/exec"
	"strings"

	"github.com/reelgraph/reelgraph/cmd/reelgraph/settings"
	"github.com/reelgraph/reelgraph/internal/engine/ffmpeg"
	"github.com/reelgraph/reelgraph/internal/platform/blob"
	"github.com/reelgraph/reelgraph/internal/platform/certs"
	"github.com/reelgraph/reelgraph/internal/platform/logging"
	"github.com/reelgraph/reelgraph/internal/platform/mail"
	"github.com/reelgraph/reelgraph/internal/speech"
)

// services tests the configured external services as the server uses them.
func services(ctx context.Context, c settings.Config) []finding {
	var all []finding

	if c.Blob.Scheme == "s3" {
		all = append(all, tried("media storage", "the bucket "+c.Blob.Host+" stores, reads and deletes a test file",
			"correct REELGRAPH_BLOB: the endpoint, the bucket, its region, and a key that may read, write and delete there",
			within(ctx, func(ctx context.Context) error { return tryStorage(ctx, c) })))
	}

	if c.SMTP != nil {
		all = append(all, tried("mail server", c.SMTP.Host+" answers and accepts the sign-in",
			"start it, or correct REELGRAPH_SMTP_URL: the host, the port, the user and the password",
			within(ctx, func(ctx context.Context) error { return tryMail(ctx, c) })))
	}

	if c.Speech.URL != nil {
		all = append(all, tried("speech", c.Speech.URL.Host+" listens",
			"start it, or correct REELGRAPH_SPEECH: the address, the key and the model",
			within(ctx, func(ctx context.Context) error { return trySpeech(ctx, c) })))
	}

	if c.Domain != "" {
		all = append(all, tried("domain", c.Domain+" has an address in DNS",
			"add an A or AAAA record with the public address of this server, or correct REELGRAPH_DOMAIN",
			within(ctx, func(ctx context.Context) error {
				_, err := net.DefaultResolver.LookupIP(ctx, "ip", c.Domain)

				return err
			})))
	}

	if c.TLSCert != "" {
		_, err := certs.ReadFiles(c.TLSCert, c.TLSKey)
		all = append(all, tried("certificate", c.TLSCert+" and its private key fit together",
			"correct REELGRAPH_TLS_CERT and REELGRAPH_TLS_KEY: PEM files of a certificate and of its private key", err))
	}

	return all
}

// tried returns the finding for a service. It hides passwords in the service's error.
func tried(thing, well, remedy string, err error) finding {
	if err == nil {
		return finding{thing: thing, saw: well}
	}

	return finding{thing: thing, saw: strings.ReplaceAll(logging.Scrub(err.Error()), "\n", "; "), remedy: remedy, broken: true}
}

// within limits one check to lookFor.
func within(ctx context.Context, look func(context.Context) error) error {
	ctx, cancel := context.WithTimeout(ctx, lookFor)
	defer cancel()

	err := look(ctx)
	if err != nil && ctx.Err() != nil {
		return fmt.Errorf("no answer within %s: %w", lookFor, err)
	}

	return err
}

// tryStorage stores, reads and deletes a small file.
func tryStorage(ctx context.Context, c settings.Config) error {
	s, err := blob.Open(ctx, c.Blob.String())
	if err != nil {
		return err
	}

	key, err := blob.NewKey("doctor", ".txt")
	if err != nil {
		return err
	}

	content := []byte("reelgraph doctor\n")
	if _, err := s.Put(ctx, key, bytes.NewReader(content)); err != nil {
		return fmt.Errorf("write: %w", err)
	}

	o, err := s.Open(ctx, key)
	if err != nil {
		return fmt.Errorf("read: %w", err)
	}

	read, err := io.ReadAll(o.Content)

	switch err = errors.Join(err, o.Content.Close()); {
	case err != nil:
		return fmt.Errorf("read: %w", err)
	case !bytes.Equal(read, content):
		return errors.New("read: the file differs from what was written")
	}

	if err := s.Delete(ctx, key); err != nil {
		return fmt.Errorf("remove: %w", err)
	}

	return nil
}

// tryMail signs in and sends nothing.
func tryMail(ctx context.Context, c settings.Config) error {
	s, err := mail.ServerAt(c.SMTP, c.BaseURL.Hostname())
	if err != nil {
		return err
	}

	return s.Try(ctx)
}

// trySpeech transcribes half a second of silence.
func trySpeech(ctx context.Context, c settings.Config) error {
	p, err := c.Speech.Open(ffmpeg.Tools{}, exec.LookPath)
	if err != nil {
		return err
	}

	silence := make([]byte, speech.Rate)

	_, err = p.Transcribe(ctx, speech.NewSound(bytes.NewReader(silence), int64(len(silence))), "")

	return err
}
