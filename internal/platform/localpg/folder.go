package localpg

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

const (
	// makingPrefix marks an unfinished cluster. The holder of the lock may remove it, because its creator is
	// dead.
	makingPrefix = "making-"
	filledPrefix = "filled-" // names a test cluster with content
	lockName     = "lock"
	socketsName  = "run"
	// longestSocketDir keeps the socket's path within 104 bytes, including the closing zero, which is the
	// strictest system's limit (Linux allows 108).
	longestSocketDir = 103 - len("/.s.PGSQL.5432")
)

// A folder contains the clusters of one data folder: <data>/postgres.
type folder struct{ path string }

func newFolder(dataDir string) (folder, error) {
	if dataDir == "" {
		return folder{}, errors.New("no data folder was given")
	}

	abs, err := filepath.Abs(dataDir)
	if err != nil {
		return folder{}, fmt.Errorf("data folder %s: %w", dataDir, err)
	}

	return folder{filepath.Join(abs, "postgres")}, nil
}

func (f folder) cluster(major int) string { return filepath.Join(f.path, strconv.Itoa(major)) }

// sockets returns the folder of the socket. It is inside the data folder unless that path is too long for a
// socket or contains a comma, which separates hosts in an address. Then it is below /tmp, under a name
// derived from the path, so that every process finds the same folder, whatever its environment.
func (f folder) sockets() string {
	dir := filepath.Join(f.path, socketsName)
	if len(dir) <= longestSocketDir && !strings.Contains(dir, ",") {
		return dir
	}

	sum := sha256.Sum256([]byte(f.path))

	return "/tmp/reelgraph-" + hex.EncodeToString(sum[:8])
}

// inspect returns the major version of the cluster, 0 for none, and refuses a folder that another program
// created. It changes nothing.
func (f folder) inspect() (major int, err error) {
	entries, err := os.ReadDir(f.path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return 0, nil
	case err != nil:
		return 0, fmt.Errorf("%w: %w", ErrForeign, err)
	}

	for _, e := range entries {
		n, err := strconv.Atoi(e.Name())
		switch {
		case err == nil && e.IsDir():
			major = max(major, n)
		case e.Name() == lockName, e.Name() == socketsName, strings.HasPrefix(e.Name(), makingPrefix):
		default:
			return 0, fmt.Errorf("%w: %s holds %q; choose another data folder",
				ErrForeign, f.path, e.Name())
		}
	}

	if err := f.inspectOwner(); err != nil {
		return 0, err
	}

	if major == 0 {
		return 0, nil
	}

	return major, f.inspectCluster(major)
}

func (f folder) inspectOwner() error {
	owner, err := ownerOf(f.path)
	if err != nil {
		return err
	}

	if me := uint32(os.Geteuid()); owner != me {
		return fmt.Errorf("%w: %s belongs to %s, and this process runs as %s",
			ErrForeign, f.path, userName(owner), userName(me))
	}

	return nil
}

// inspectCluster checks that a folder named after a major version holds a complete cluster of it.
func (f folder) inspectCluster(major int) error {
	dir := f.cluster(major)

	owner, err := ownerOf(dir)
	if err != nil {
		return err
	}

	if !isAccountOf(owner) {
		return fmt.Errorf("%w: %s belongs to %s; run as that user, or choose another data folder",
			ErrForeign, dir, userName(owner))
	}

	version, err := os.ReadFile(filepath.Join(dir, "PG_VERSION"))
	if err != nil {
		return fmt.Errorf("%w: %s holds no Postgres cluster: %w", ErrForeign, dir, err)
	}

	if got := strings.TrimSpace(string(version)); got != strconv.Itoa(major) {
		return fmt.Errorf("%w: %s holds a cluster of Postgres %s", ErrForeign, dir, got)
	}

	return nil
}

// claim creates the folder and locks it until the returned file is closed or the process ends. It removes
// what a killed initdb left.
func (f folder) claim() (*os.File, error) {
	if err := os.MkdirAll(f.path, 0o700); err != nil {
		return nil, fmt.Errorf("make the data folder: %w", err)
	}

	lock, err := tryLock(filepath.Join(f.path, lockName))
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return nil, fmt.Errorf("%w: another process runs the private Postgres in %s", ErrInUse, f.path)
	}

	if err != nil {
		return nil, fmt.Errorf("lock the data folder: %w", err)
	}

	left, err := filepath.Glob(filepath.Join(f.path, makingPrefix+"*"))
	for _, dir := range left {
		err = errors.Join(err, os.RemoveAll(dir))
	}

	if err != nil {
		return nil, errors.Join(fmt.Errorf("remove an incomplete cluster: %w", err), lock.Close())
	}

	return lock, nil
}

// tryLock opens and locks a file, or fails with EWOULDBLOCK.
func tryLock(path string) (*os.File, error) {
	file, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, err
	}

	if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return nil, errors.Join(err, file.Close())
	}

	return file, nil
}

// makeSockets creates the folder of the socket, which only its owner can enter.
func (f folder) makeSockets(who account) error {
	dir := f.sockets()

	err := os.Mkdir(dir, 0o700)
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("make the socket folder: %w", err)
	}

	fi, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("make the socket folder: %w", err)
	}

	owner, err := statOwner(fi)
	if err != nil {
		return err
	}

	if !fi.IsDir() || !isAccountOf(owner) && owner != uint32(os.Geteuid()) {
		return fmt.Errorf("%w: %s belongs to %s", ErrForeign, dir, userName(owner))
	}

	return errors.Join(os.Chmod(dir, 0o700), who.own(dir)) //nolint:gosec // a folder
}

// removeSockets removes the folder of the socket if it is outside the data folder.
func (f folder) removeSockets() error {
	dir := f.sockets()
	if filepath.Dir(dir) == f.path {
		return nil
	}

	return os.RemoveAll(dir)
}

func statOwner(fi fs.FileInfo) (uint32, error) {
	st, ok := fi.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, fmt.Errorf("%s: the system does not report who owns it", fi.Name())
	}

	return st.Uid, nil
}
