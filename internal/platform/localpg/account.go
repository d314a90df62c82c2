package localpg

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"runtime"
	"strconv"
	"syscall"
)

// An account is the user that Postgres runs as. Postgres refuses to run as root, so a root process uses
// another user for it; any other process uses its own.
type account struct {
	uid, gid uint32
	stepDown bool
}

// account chooses the user for the cluster of a major version: the cluster's owner if the cluster exists.
func (f folder) account(major int) (account, error) {
	if os.Geteuid() != 0 {
		return account{uid: uint32(os.Geteuid()), gid: uint32(os.Getegid())}, nil
	}

	all := unprivileged()
	if len(all) == 0 {
		return account{}, errors.New("started as root, but neither the user postgres nor the user nobody exists " +
			"to run Postgres as: create one, or run as an ordinary user")
	}

	owner, err := ownerOf(f.cluster(major))
	if errors.Is(err, fs.ErrNotExist) {
		return all[0], nil
	}

	if err != nil {
		return account{}, err
	}

	for _, a := range all {
		if a.uid == owner {
			return a, nil
		}
	}

	return account{}, fmt.Errorf("%w: %s belongs to %s", ErrForeign, f.cluster(major), userName(owner))
}

// unprivileged are the users that root may run Postgres as, in order of preference.
func unprivileged() []account {
	var all []account

	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}

		uid, uidErr := strconv.ParseUint(u.Uid, 10, 32)

		gid, gidErr := strconv.ParseUint(u.Gid, 10, 32)
		if uidErr == nil && gidErr == nil && uid != 0 {
			all = append(all, account{uid: uint32(uid), gid: uint32(gid), stepDown: true})
		}
	}

	return all
}

// isAccountOf reports whether this process can run Postgres as the user uid.
func isAccountOf(uid uint32) bool {
	me := os.Geteuid()
	if me != 0 {
		return uid == uint32(me)
	}

	for _, a := range unprivileged() {
		if a.uid == uid {
			return true
		}
	}

	return false
}

// own changes the owner of a file to the account.
func (a account) own(path string) error {
	if !a.stepDown {
		return nil
	}

	return os.Lchown(path, int(a.uid), int(a.gid))
}

// command prepares a Postgres program. It inherits no environment, so that no PG* variable of ours affects
// it, and its messages are in English, because this package parses them.
func (a account) command(path string, args ...string) *exec.Cmd {
	cmd := exec.Command(path, args...) //nolint:noctx // the server outlives the context of its start
	cmd.Dir = "/"
	cmd.Env = []string{"LC_ALL=C", "PATH=/usr/bin:/bin"}

	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	if a.stepDown {
		cmd.SysProcAttr.Credential = &syscall.Credential{Uid: a.uid, Gid: a.gid}
	}

	return cmd
}

// tell returns the path at which cmd, which runs as the account, can open a folder. The account may have no access to
// the parent folders, because the home of root is closed to others. On Linux cmd therefore inherits the folder as an
// open file, and opens it through /proc. process.start closes the file in this process.
func (a account) tell(cmd *exec.Cmd, dir string) (path string, err error) {
	if !a.stepDown || runtime.GOOS != "linux" {
		return dir, nil
	}

	f, err := os.Open(dir)
	if err != nil {
		return "", err
	}

	cmd.ExtraFiles = append(cmd.ExtraFiles, f)

	return fmt.Sprintf("/proc/self/fd/%d", 2+len(cmd.ExtraFiles)), nil
}

func userName(uid uint32) string {
	id := strconv.FormatUint(uint64(uid), 10)
	if u, err := user.LookupId(id); err == nil {
		return u.Username
	}

	return "user " + id
}
