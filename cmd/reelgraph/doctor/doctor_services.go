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
	"github.com/reelgraph/reelgraph/internal/platform/mail"
	"github.com/reelgraph/reelgraph/internal/speech"
)

// services returns the checks of the configured services. Each uses its service as the server does.
func services(c settings.Config) []check {
	var all []check

	if c.Speech.Provider == "pocketsphinx" {
		all = append(all, speechProgram)
	}

	if c.Blob.Scheme == "s3" {
		all = append(all, service("media storage", "the bucket "+c.Blob.Host+" stores, reads and deletes a test file",
			"correct REELGRAPH_BLOB: the endpoint, the bucket, its region, and a key that may read, write and delete there", tryStorage))
	}

	if c.SMTP != nil {
		all = append(all, service("mail server", c.SMTP.Host+" answers and accepts the sign-in",
			"start it, or correct REELGRAPH_SMTP_URL: the host, the port, the user and the password", tryMail))
	}

	if c.Speech.URL != nil {
		all = append(all, service("speech", c.Speech.URL.Host+" listens",
			"start it, or correct REELGRAPH_SPEECH: the address, the key and the model", trySpeech))
	}

	if c.Domain != "" {
		all = append(all, service("domain", c.Domain+" has an address in DNS",
			"add an A or AAAA record with the public address of this server, or correct REELGRAPH_DOMAIN", tryDomain))
	}

	if c.TLSCert != "" {
		all = append(all, service("certificate", c.TLSCert+" and its private key fit together",
			"correct REELGRAPH_TLS_CERT and REELGRAPH_TLS_KEY: PEM files of a certificate and of its private key", tryCertificate))
	}

	return all
}

// service returns the check that tries a service.
func service(thing, well, remedy string, try func(ctx context.Context, c settings.Config) error) check {
	return func(ctx context.Context, c settings.Config) Finding {
		return tried(thing, well, remedy, within(ctx, func(ctx context.Context) error { return try(ctx, c) }))
	}
}

// tried returns the finding for a service.
func tried(thing, well, remedy string, err error) Finding {
	if err == nil {
		return Finding{Thing: thing, Saw: well}
	}

	return Finding{Thing: thing, Saw: strings.ReplaceAll(err.Error(), "\n", "; "), Remedy: remedy, broken: true}
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

func tryDomain(ctx context.Context, c settings.Config) error {
	_, err := net.DefaultResolver.LookupIP(ctx, "ip", c.Domain)

	return err
}

func tryCertificate(_ context.Context, c settings.Config) error {
	_, err := certs.ReadFiles(c.TLSCert, c.TLSKey)

	return err
}
