package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"
	"golang.org/x/text/unicode/norm"
)

// newPassword reads a password for a person: twice from a terminal, without echo, otherwise one line of standard input.
func (a app) newPassword(ctx context.Context, of string) (string, error) {
	terminal, is := a.stdin.(*os.File)
	if !is || !term.IsTerminal(int(terminal.Fd())) {
		return readPassword(a.stdin)
	}

	first, err := a.ask(ctx, terminal, "New password for "+of+": ")
	if err != nil {
		return "", err
	}

	password, err := acceptable(first)
	if err != nil {
		return "", err
	}

	again, err := a.ask(ctx, terminal, "Repeat the password: ")

	switch {
	case err != nil:
		return "", err
	case again != first:
		return "", errors.New("the two passwords differ; the password was not changed")
	default:
		return password, nil
	}
}

// ask reads one line from a terminal without echo. When the context ends, it restores the terminal.
func (a app) ask(ctx context.Context, terminal *os.File, prompt string) (string, error) {
	fd := int(terminal.Fd())

	before, err := term.GetState(fd)
	if err != nil {
		return "", fmt.Errorf("read the password: %w", err)
	}

	fmt.Fprint(a.stderr, prompt)
	defer fmt.Fprintln(a.stderr) // the typed line end is not echoed either

	type answer struct {
		line []byte
		err  error
	}

	given := make(chan answer, 1)

	go func() { // blocks until input arrives or the program ends
		line, err := term.ReadPassword(fd)
		given <- answer{line, err}
	}()

	select {
	case <-ctx.Done():
		return "", errors.Join(errors.New("no password given; the password was not changed"), term.Restore(fd, before))
	case got := <-given:
		if got.err != nil {
			return "", fmt.Errorf("read the password: %w", got.err)
		}

		return string(got.line), nil
	}
}

// readPassword reads one line. Its errors never contain the password.
func readPassword(from io.Reader) (string, error) {
	line, err := bufio.NewReader(io.LimitReader(from, 4*maxPassword+2)).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return "", fmt.Errorf("read the password: %w", err)
	}

	return acceptable(strings.TrimRight(line, "\r\n"))
}

// acceptable returns a password as it is stored, or an error if it is not allowed.
func acceptable(given string) (string, error) {
	password := norm.NFC.String(given)

	if n := utf8.RuneCountInString(password); !utf8.ValidString(password) || n < minPassword || n > maxPassword {
		return "", fmt.Errorf("the password must have %d to %d characters; to pipe it, write it as one line to standard input",
			minPassword, maxPassword)
	}

	return password, nil
}
