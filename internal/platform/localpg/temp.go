package localpg

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// StartTemp runs a Postgres for one test process: empty, private, and fast because it is not crash-safe
// (fsync is off). Its superuser and its database have the same names as those of [Start]; the caller may
// create more databases.
//
// The cluster is created once for each user and machine, and copied for each caller. Stop removes the copy.
// When a test process is killed, its Postgres ends with it and the next caller removes the copy.
func StartTemp(ctx context.Context) (*Server, error) { return StartTempWith(ctx, Content{}) }

// Content is the initial content of a test cluster. The zero value creates an empty cluster.
type Content struct {
	// Version is part of a file name. Change it whenever Fill would produce something else.
	Version string
	// Fill writes the content into the empty cluster at dsn. It must not leave a connection open.
	Fill func(ctx context.Context, dsn string) error
}

// StartTempWith is like StartTemp, but the cluster has content. The content is created once for all callers that need
// the same content, and is kept until nobody has used it for a day.
func StartTempWith(ctx context.Context, content Content) (*Server, error) {
	programs, err := Find(ctx, "", 0)
	if err != nil {
		return nil, err
	}

	dir, err := testFolder(programs.Major)
	if err != nil {
		return nil, err
	}

	who, err := dir.account(programs.Major)
	if err != nil {
		return nil, err
	}

	own, lock, err := dir.newCopy(ctx, programs, who, content)
	if err != nil {
		return nil, fmt.Errorf("make a test cluster: %w", err)
	}

	release := func() error { return dir.removeCopy(own, lock) }

	proc, err := own.launchFast(ctx, programs, who)
	if err != nil {
		return nil, errors.Join(err, release())
	}

	return &Server{dsn: dsnOf(own.sockets()), process: proc, release: release}, nil
}

func (f folder) launchFast(ctx context.Context, p Programs, who account) (*process, error) {
	return postmaster{p, who, f.cluster(p.Major), f.sockets(), fast(), logger(nil)}.launch(ctx)
}

func fast() []string {
	return []string{
		"fsync=off", "synchronous_commit=off", "full_page_writes=off", "wal_level=minimal", "max_wal_senders=0",
		"shared_buffers=128MB", "max_connections=300", "checkpoint_timeout=1h", "max_wal_size=1GB",
	}
}

// testFolder is the user's folder of test clusters: an empty one, the filled ones and the copies in use.
func testFolder(major int) (folder, error) {
	path := filepath.Join(tempRoot(), fmt.Sprintf("reelgraph-test-%d-%d", os.Geteuid(), major))
	if err := os.Mkdir(path, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return folder{}, fmt.Errorf("make the folder of test clusters: %w", err)
	}

	f := folder{path}

	return f, f.inspectOwner()
}

// tempRoot is in memory if there is enough of it: tests create and drop databases of several hundred files
// each, and ext4 becomes slow at finding space after thousands of files were removed.
func tempRoot() string {
	const (
		sharedMemory = "/dev/shm"
		plenty       = 8 << 30 // bytes
	)

	var at syscall.Statfs_t
	if err := syscall.Statfs(sharedMemory, &at); err != nil || at.Bavail < plenty/uint64(at.Bsize) {
		return os.TempDir()
	}

	return sharedMemory
}

// newCopy copies the cluster with that content, creating it first if needed, and removes the copies of dead
// processes. The returned lock marks the copy as in use.
func (f folder) newCopy(ctx context.Context, p Programs, who account, content Content) (own folder, lock *os.File, err error) {
	whole, err := f.alone()
	if err != nil {
		return folder{}, nil, err
	}
	defer whole.Close() //nolint:errcheck // closing it releases the lock

	if err := f.sweep(ctx); err != nil {
		return folder{}, nil, err
	}

	made, err := f.prepare(ctx, p, who, content)
	if err != nil {
		return folder{}, nil, err
	}

	path, err := os.MkdirTemp(f.path, "copy-")
	if err != nil {
		return folder{}, nil, err
	}

	own = folder{path}

	lock, err = tryLock(filepath.Join(path, lockName))
	if err != nil {
		return folder{}, nil, err
	}

	if err := own.copyFrom(made, p, who); err != nil {
		return folder{}, nil, errors.Join(err, os.RemoveAll(path), lock.Close())
	}

	return own, lock, nil
}

// prepare creates the cluster with that content if needed, and returns its folder. The cluster is not
// running. The caller holds the folder's lock.
func (f folder) prepare(ctx context.Context, p Programs, who account, content Content) (string, error) {
	empty := f.cluster(p.Major)
	if _, err := os.Lstat(empty); errors.Is(err, fs.ErrNotExist) {
		if err := makeCluster(ctx, p, who, empty, fastRecipe()); err != nil {
			return "", err
		}
	}

	if content.Fill == nil {
		return empty, nil
	}

	filled := filepath.Join(f.path, filledPrefix+content.Version)
	if err := os.Chtimes(filled, time.Time{}, time.Now()); !errors.Is(err, fs.ErrNotExist) {
		return filled, err
	}

	making, err := os.MkdirTemp(f.path, makingPrefix)
	if err != nil {
		return "", err
	}

	own := folder{making}

	err = own.copyFrom(empty, p, who)
	if err == nil {
		err = own.fill(ctx, p, who, content)
	}

	if err == nil {
		err = os.Rename(own.cluster(p.Major), filled)
	}

	return filled, errors.Join(err, own.removeSockets(), os.RemoveAll(making))
}

// fill runs a cluster while its content is written.
func (f folder) fill(ctx context.Context, p Programs, who account, content Content) (err error) {
	proc, err := f.launchFast(ctx, p, who)
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, proc.stop())
		if err == nil && !proc.cmd.ProcessState.Success() {
			err = proc.output.failure()
		}
	}()

	return content.Fill(ctx, dsnOf(f.sockets()))
}

// copyFrom copies a cluster to this folder and creates a folder for its socket.
func (f folder) copyFrom(made string, p Programs, who account) error {
	return errors.Join(copyCluster(made, f.cluster(p.Major), who), f.makeSockets(who))
}

// alone waits until no other process copies, removes or sweeps. Closing the returned file ends the exclusion.
func (f folder) alone() (*os.File, error) {
	whole, err := os.OpenFile(filepath.Join(f.path, lockName), os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}

	if err := syscall.Flock(int(whole.Fd()), syscall.LOCK_EX); err != nil {
		return nil, errors.Join(err, whole.Close())
	}

	return whole, nil
}

// removeCopy removes a copy that is no longer used, while no other process checks whether it is.
func (f folder) removeCopy(own folder, lock *os.File) error {
	whole, err := f.alone()
	if err != nil {
		return errors.Join(err, lock.Close())
	}

	return errors.Join(own.removeSockets(), os.RemoveAll(own.path), lock.Close(), whole.Close())
}

// sweep removes what killed processes left, unlocked copies, incomplete clusters, and filled clusters that
// are no longer used.
func (f folder) sweep(ctx context.Context) error {
	copies, err := filepath.Glob(filepath.Join(f.path, "copy-*"))
	if err != nil {
		return err
	}

	for _, dir := range copies {
		lock, err := tryLock(filepath.Join(dir, lockName))
		if errors.Is(err, syscall.EWOULDBLOCK) {
			continue
		}

		if err != nil {
			return err
		}

		if err := errors.Join(removeLeft(ctx, dir), lock.Close()); err != nil {
			return err
		}
	}

	half, err := filepath.Glob(filepath.Join(f.path, makingPrefix+"*"))
	for _, dir := range half {
		err = errors.Join(err, removeLeft(ctx, dir))
	}

	filled, globErr := filepath.Glob(filepath.Join(f.path, filledPrefix+"*"))
	err = errors.Join(err, globErr)

	for _, dir := range filled {
		if fi, statErr := os.Lstat(dir); statErr != nil || time.Since(fi.ModTime()) > keptFor {
			err = errors.Join(err, statErr, os.RemoveAll(dir))
		}
	}

	return err
}

// keptFor is how long an unused filled cluster is kept.
const keptFor = 24 * time.Hour

// removeLeft removes the folder of a killed process. Its Postgres is ending too and may still write.
func removeLeft(ctx context.Context, dir string) error {
	ctx, cancel := context.WithTimeout(ctx, busyFor)
	defer cancel()

	for {
		err := errors.Join(folder{dir}.removeSockets(), os.RemoveAll(dir))
		if !errors.Is(err, syscall.ENOTEMPTY) || pause(ctx) != nil {
			return err
		}
	}
}

// copyCluster copies a cluster that is not running.
func copyCluster(from, to string, who account) error {
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return err
	}

	if err := os.Chmod(to, 0o700); err != nil { //nolint:gosec // a folder; Postgres requires this mode
		return err
	}

	return filepath.WalkDir(to, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}

		return who.own(path)
	})
}
