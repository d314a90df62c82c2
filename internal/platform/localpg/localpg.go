// Package localpg runs a private Postgres for one data folder: no port, no password, no system
// database, only a socket in a folder that nobody else may enter.
//
// The cluster lives in <data>/postgres/<major>. Started as root, Postgres runs as the account
// "postgres", else "nobody". It ends when its parent ends, however that dies (on Linux; elsewhere a
// parent that is killed leaves it running, and the next [Start] says so).
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

// The reasons why a private Postgres is refused. Every error of this package that has one of these
// causes wraps it; the text around it says what to do.
var (
	// ErrInUse says that another process runs the Postgres of this data folder.
	ErrInUse = errors.New("the data folder is in use")
	// ErrForeign says that the folder holds something that this package did not put there, or that
	// belongs to somebody else. Nothing in it was touched.
	ErrForeign = errors.New("the folder is not ours")
	// ErrNoPrograms says that no usable initdb and postgres were found.
	ErrNoPrograms = errors.New("no usable Postgres programs")
	// ErrDiskFull says that the disk of the data folder is full.
	ErrDiskFull = errors.New("the disk is full")
)

// busyFor is how long [Start] waits for the Postgres of a killed parent to finish, and [Open] for
// the process that holds the folder to be ready or gone.
const busyFor = 20 * time.Second

// Options says where the private Postgres lives.
type Options struct {
	// DataDir is the server's data folder. Everything here stays below DataDir/postgres.
	DataDir string
	// BinDir is the folder of initdb and postgres. Empty means: look for them, see [Find].
	BinDir string
	// Logger gets what Postgres says. Nil discards it.
	Logger *slog.Logger
}

// Server is a Postgres that this process started, or joined ([Open]).
type Server struct {
	dsn     string
	process *process     // nil when joined
	release func() error // after the process has ended
	stop    sync.Once
	stopErr error
}

// Start runs the private Postgres of a data folder, making it on first use, and returns when it
// answers. Its lifetime is the returned Server's: ctx bounds the start alone.
//
// Errors: [ErrInUse] when another process runs it, [ErrForeign] when the folder is not ours or was
// made by a major version that is not installed, [ErrNoPrograms], [ErrDiskFull].
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

// Check says which programs [Start] would run, or why it would refuse, and changes nothing. The fields
// of o other than the folders play no part.
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

// Open joins the Postgres of a data folder when another process runs it, and starts it when none
// does. It is for the short commands beside the server; the server itself calls [Start].
func Open(ctx context.Context, o Options) (*Server, error) {
	// Only the waiting is bounded: making a cluster takes as long as it takes.
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

// Attach finds the running Postgres of a data folder. running is false, with no error, when none
// runs, whether or not the folder exists; one that is starting or stopping is waited for.
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

// DSN is the address of the database as a URL, for lib/pq and any other client of this machine. Only
// the account that started the server, and root, can reach it.
func (s *Server) DSN() string { return s.dsn }

// Done is closed when Postgres has ended, by Stop or by itself. It is nil, and so never ready, for a
// server that was joined.
func (s *Server) Done() <-chan struct{} {
	if s.process == nil {
		return nil
	}
	return s.process.done
}

// Stop ends Postgres: open transactions are rolled back, everything committed is on disk. It may be
// called more than once and from several goroutines; on a joined server it does nothing.
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

// pause waits for pollEvery, or returns early with the error of ctx.
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

// ownerOf is the user id that owns a file, not following a link.
func ownerOf(path string) (uint32, error) {
	fi, err := os.Lstat(path)
	if err != nil {
		return 0, err
	}
	return statOwner(fi)
}
