// Package mail sends plain text through a mail server, by SMTP.
package mail

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"mime"
	"mime/quotedprintable"
	"net"
	"net/mail"
	"net/smtp"
	"net/textproto"
	"net/url"
	"strings"
	"time"
)

const (
	portPlain = "587" // the submission port, where the server is expected to offer TLS
	portTLS   = "465"

	// patience is how long sending a message may take.
	patience = time.Minute
)

// Server is a mail server and the sender address of its mails.
type Server struct {
	address, host string
	tls           bool
	auth          smtp.Auth // nil: none
	from          mail.Address
}

// ServerAt parses the URL of a mail server. The scheme smtp uses TLS as soon as the server offers it; smtps uses TLS
// from the beginning. The URL may contain a user and a password. The query parameter from is the sender. Without it
// the sender is the user if that is an address, and otherwise reelgraph at ourHost.
func ServerAt(u *url.URL, ourHost string) (*Server, error) {
	s := &Server{host: u.Hostname(), tls: u.Scheme == "smtps"}

	port := portPlain
	if s.tls {
		port = portTLS
	}

	s.address = net.JoinHostPort(s.host, cmp.Or(u.Port(), port))

	if password, has := u.User.Password(); has {
		s.auth = smtp.PlainAuth("", u.User.Username(), password, s.host)
	}

	sender := u.Query().Get("from")
	if sender == "" && strings.Contains(u.User.Username(), "@") {
		sender = u.User.Username()
	}

	from, err := mail.ParseAddress(cmp.Or(sender, "Reelgraph <reelgraph@"+ourHost+">"))
	if err != nil {
		return nil, fmt.Errorf("parse the sender address: %w", err)
	}

	s.from = *from

	return s, nil
}

// Message is a plain-text mail to one person.
type Message struct {
	To      string // an address
	Subject string
	Text    string // lines end in \n
}

// RefusedError means that the server refuses the message permanently. Do not send the message again.
type RefusedError struct{ Reason string }

// Error implements error.
func (e *RefusedError) Error() string { return "the mail server refuses the message: " + e.Reason }

// Send sends a message through the server. If the server refuses the message permanently, the error is a
// *RefusedError.
func (s *Server) Send(ctx context.Context, m Message) error {
	to, err := mail.ParseAddress(m.To)
	if err != nil {
		return &RefusedError{err.Error()}
	}

	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()

	client, err := s.dial(ctx)
	if err != nil {
		return fmt.Errorf("reach the mail server: %w", err)
	}
	defer client.Close() //nolint:errcheck // the message was accepted, or the error is returned

	if err := s.hand(client, to.Address, s.compose(*to, m)); err != nil {
		if final, is := errors.AsType[*textproto.Error](err); is && final.Code >= 500 {
			return &RefusedError{final.Error()}
		}

		return fmt.Errorf("send mail: %w", err)
	}

	return nil
}

func (s *Server) dial(ctx context.Context) (*smtp.Client, error) {
	conn, err := new(net.Dialer).DialContext(ctx, "tcp", s.address)
	if err != nil {
		return nil, err //nolint:wrapcheck // Send says what was attempted
	}

	context.AfterFunc(ctx, func() { _ = conn.Close() })

	if s.tls {
		conn = tls.Client(conn, &tls.Config{ServerName: s.host, MinVersion: tls.VersionTLS12})
	}

	client, err := smtp.NewClient(conn, s.host)
	if err != nil {
		_ = conn.Close()

		return nil, err //nolint:wrapcheck // as above
	}

	return client, nil
}

// Try connects and signs in to the server as Send does, but sends nothing.
func (s *Server) Try(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()

	client, err := s.dial(ctx)
	if err != nil {
		return fmt.Errorf("reach the mail server: %w", err)
	}
	defer client.Close() //nolint:errcheck // nothing was sent

	if err := s.begin(client); err != nil {
		return fmt.Errorf("sign in to the mail server: %w", err)
	}

	_ = client.Quit() // all commands were answered

	return nil
}

// begin starts TLS and signs in, as far as the server offers them and the URL asks for them, and sends the
// sender address.
func (s *Server) begin(client *smtp.Client) error {
	if offered, _ := client.Extension("STARTTLS"); offered && !s.tls {
		if err := client.StartTLS(&tls.Config{ServerName: s.host, MinVersion: tls.VersionTLS12}); err != nil {
			return err //nolint:wrapcheck // Send says what was attempted, here and below
		}
	}

	if s.auth != nil {
		if err := client.Auth(s.auth); err != nil {
			return err //nolint:wrapcheck // as above
		}
	}

	if err := client.Mail(s.from.Address); err != nil {
		return err //nolint:wrapcheck // as above
	}

	return nil
}

func (s *Server) hand(client *smtp.Client, to string, content []byte) error {
	if err := s.begin(client); err != nil {
		return err
	}

	if err := client.Rcpt(to); err != nil {
		return err //nolint:wrapcheck // as above
	}

	body, err := client.Data()
	if err != nil {
		return err //nolint:wrapcheck // as above
	}

	if _, err := body.Write(content); err != nil {
		return err //nolint:wrapcheck // as above
	}

	if err := body.Close(); err != nil {
		return err //nolint:wrapcheck // as above
	}

	_ = client.Quit() // the message was accepted, and sending it again would deliver it twice

	return nil
}

// compose returns the message in its wire format. User text cannot become a header.
func (s *Server) compose(to mail.Address, m Message) []byte {
	var b bytes.Buffer

	_, domain, _ := strings.Cut(s.from.Address, "@")
	subject := strings.Map(func(c rune) rune {
		if c < ' ' {
			return ' '
		}

		return c
	}, m.Subject)

	for _, header := range [][2]string{
		{"From", s.from.String()},
		{"To", to.String()},
		{"Subject", mime.QEncoding.Encode("utf-8", subject)},
		{"Date", time.Now().Format(time.RFC1123Z)},
		{"Message-ID", "<" + strings.ToLower(rand.Text()) + "@" + domain + ">"},
		{"Auto-Submitted", "auto-generated"},
		{"MIME-Version", "1.0"},
		{"Content-Type", "text/plain; charset=utf-8"},
		{"Content-Transfer-Encoding", "quoted-printable"},
	} {
		b.WriteString(header[0] + ": " + header[1] + "\r\n")
	}

	b.WriteString("\r\n")

	w := quotedprintable.NewWriter(&b)
	_, _ = w.Write([]byte(strings.ReplaceAll(m.Text, "\n", "\r\n"))) // writing to a buffer never fails
	_ = w.Close()

	return b.Bytes()
}
