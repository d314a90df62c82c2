// Package localpg runs a private Postgres for one data folder. It has no port and no password, only a socket in a
// folder that no other user may enter.
//
// The cluster is in <data>/postgres/<major>. If the program runs as root, Postgres runs as the account "postgres", or
// "nobody" if there is no such account. On Linux, Postgres ends with its parent process, however the parent ends. On
// other systems Postgres keeps running when its parent is killed, and the next [Start] returns an error that says so.
package localpg

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"sync"
	"time"
)

// The reasons for which a private Postgres is refused. Every error with one of these causes wraps it; the
// message says what to do.
var (
	// ErrInUse means that another process runs the Postgres of this data folder.
	ErrInUse = errors.New("the data folder is in use")
	// ErrForeign means that the folder contains something that this package did not create, or something that belongs
	// to another user. Nothing in the folder was changed.
	ErrForeign = errors.New("the folder was not created by this program")
	// ErrNoPrograms means that no usable initdb and postgres were found.
	ErrNoPrograms = errors.New("no usable Postgres programs")
	// ErrDiskFull means that the disk of the data folder is full.
	ErrDiskFull = errors.New("the disk is full")
)

// busyFor is how long [Start] waits for the Postgres of a killed parent to stop, and how long [Open] waits
// for the process that holds the folder to be ready or gone.
const busyFor = 20 * time.Second

// Options configure the private Postgres: its folders and its log.
type Options struct {
	// DataDir is the server's data folder. Everything is stored below DataDir/postgres.
	DataDir string
	// BinDir is the folder of initdb and postgres. If BinDir is empty, [Find] searches for them.
	BinDir string
	// Logger receives the messages of Postgres. Nil discards them.
	Logger *slog.Logger
}

// Server is a Postgres that this process started, or that it joined with [Open].
type Server struct {
	dsn     string
	process *process     // nil when joined
	release func() error // set once the process has ended
	stop    sync.Once
	stopErr error
}

// Start starts the private Postgres of a data folder, and creates it on first use. It returns when Postgres accepts
// connections. Postgres runs until the returned Server is stopped; ctx limits only the start.
//
// Errors: [ErrInUse] when another process runs this Postgres; [ErrForeign] when another program created the folder or
// the major version of the cluster is not installed; [ErrNoPrograms]; [ErrDiskFull].
func Start(ctx context.Context, o Options) (*Server, error) {
	f, err := newFolder(o.DataDir)
	if err != nil {
		return nil, err
	}

	programs, err := f.programs(ctx, o.BinDir)
	if err != nil {
		return nil, err
	}

	who, err := f.account(programs.Major)
	if err != nil {
		return nil, err
	}

	lock, err := f.claim()
	if err != nil {
		return nil, err
	}

	s, err := f.start(ctx, programs, who, logger(o.Logger))
	if err != nil {
		return nil, errors.Join(err, lock.Close())
	}

	s.release = func() error { return errors.Join(f.removeSockets(), lock.Close()) }

	return s, nil
}

// Check returns the programs that [Start] would run, or the error that it would return. It changes nothing. It uses
// only the fields of o that name folders.
func Check(ctx context.Context, o Options) (Programs, error) {
	f, err := newFolder(o.DataDir)
	if err != nil {
		return Programs{}, err
	}

	return f.programs(ctx, o.BinDir)
}

func (f folder) programs(ctx context.Context, binDir string) (Programs, error) {
	major, err := f.inspect()
	if err != nil {
		return Programs{}, err
	}

	return Find(ctx, binDir, major)
}

// Open connects to the Postgres of a data folder if another process runs it, and starts it otherwise. It is meant for
// short commands that run beside the server; the server itself calls [Start].
func Open(ctx context.Context, o Options) (*Server, error) {
	// Only the waiting is limited: creating a cluster takes as long as it takes.
	waiting, cancel := context.WithTimeout(ctx, busyFor)
	defer cancel()

	for {
		dsn, running, err := Attach(ctx, o.DataDir)
		if err != nil {
			return nil, err
		}

		if running {
			return &Server{dsn: dsn}, nil
		}

		s, err := Start(ctx, o)
		if err == nil || !errors.Is(err, ErrInUse) {
			return s, err
		}

		if waitErr := pause(waiting); waitErr != nil {
			return nil, err
		}
	}
}

// Attach finds the running Postgres of a data folder. If none runs, it returns false for running and no error,
// whether or not the folder exists. It waits for a Postgres that is starting or stopping.
func Attach(ctx context.Context, dataDir string) (dsn string, running bool, err error) {
	f, err := newFolder(dataDir)
	if err != nil {
		return "", false, err
	}

	ctx, cancel := context.WithTimeout(ctx, busyFor)
	defer cancel()

	dsn = dsnOf(f.sockets())
	for {
		switch state, err := ping(ctx, dsn); state {
		case answering:
			return dsn, true, nil
		case absent:
			return "", false, nil
		case refusing:
			return "", false, fmt.Errorf("connect to the private Postgres of %s: %w", dataDir, err)
		case changing:
			if pause(ctx) != nil {
				return "", false, fmt.Errorf("wait for the private Postgres of %s: %w", dataDir, err)
			}
		}
	}
}

// DSN returns the address of the database as a URL, for lib/pq and any other client on this machine. Only the
// account that started the server, and root, can connect.
func (s *Server) DSN() string { return s.dsn }

// Done returns a channel that is closed when Postgres has ended. For a server that this process did not start, the
// channel is nil, so it is never closed.
func (s *Server) Done() <-chan struct{} {
	if s.process == nil {
		return nil
	}

	return s.process.done
}

// Stop stops Postgres. Open transactions are rolled back; everything committed is on disk. Stop may be called more
// than once and from several goroutines. It does nothing if this process did not start the server.
func (s *Server) Stop() error {
	s.stop.Do(func() {
		if s.process == nil {
			return
		}

		s.stopErr = errors.Join(s.process.stop(), s.release())
	})

	return s.stopErr
}

func logger(l *slog.Logger) *slog.Logger {
	if l == nil {
		return slog.New(slog.DiscardHandler)
	}

	return l
}

// pause waits for pollEvery, or returns the error of ctx earlier.
func pause(ctx context.Context) error {
	t := time.NewTimer(pollEvery)
	defer t.Stop()

	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-t.C:
		return nil
	}
}

// ownerOf returns the user id of a file's owner, without following a link.
func ownerOf(path string) (uint32, error) {
	fi, err := os.Lstat(path)
	if err != nil {
		return 0, err
	}

	return statOwner(fi)
}
