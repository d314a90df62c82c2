package measure

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"regexp"
	"runtime"
	"strings"
	"time"
)

// resultsFile is the path of the results from the root of the module.
const resultsFile = "bench/RESULTS.md"

const heading = `# Results

Written by ` + "`make bench`" + `, each section by the newest run of one program in ` + "`bench`" + `. Package comments say how they
measure. A ratio compares two things measured in turn in the same run. Absolute figures depend on the speed of that machine at the time.
`

// mostLines is the maximum number of lines of the page.
const mostLines = 250

// Publish prints body and more, and writes body to the results page as the section with the given title. An existing
// section with that title is replaced. Publish returns an error if the page would have more than 250 lines.
func Publish(title, body, more string) error {
	fmt.Fprintln(os.Stdout, body+more)

	old, err := os.ReadFile(resultsFile)
	if errors.Is(err, fs.ErrNotExist) {
		old, err = []byte(heading), nil
	}

	if err != nil {
		return fmt.Errorf("read the results: %w", err)
	}

	section := "\n## " + title + "\n\n" + strings.TrimSpace(body) + "\n"
	own := regexp.MustCompile(`(?ms)^\n?## ` + regexp.QuoteMeta(title) + `\n.*?(\z|^## )`)
	page := string(old)

	if at := own.FindStringSubmatchIndex(page); at != nil {
		page = strings.TrimRight(page[:at[0]], "\n") + "\n" + section + "\n" + page[at[2]:]
	} else {
		page = strings.TrimRight(page, "\n") + "\n" + section
	}

	page = strings.TrimRight(page, "\n") + "\n"

	if lines := strings.Count(page, "\n"); lines > mostLines {
		return fmt.Errorf("%s would have %d lines with this section; at most %d are allowed", resultsFile, lines, mostLines)
	}

	if err := os.WriteFile(resultsFile, []byte(page), 0o644); err != nil { //nolint:gosec // the file is public
		return fmt.Errorf("write the results: %w", err)
	}

	return nil
}

// Circumstances returns one line that describes a measurement: the command, the date, the commit, the machine with its
// load, and versions.
func Circumstances(ctx context.Context, command string, versions ...string) string {
	parts := []string{"`" + command + "`", time.Now().UTC().Format(time.DateOnly)}

	if rev := revision(ctx); rev != "" {
		parts = append(parts, "commit "+rev)
	}

	parts = append(parts, machine(), runtime.Version())

	return strings.Join(append(parts, versions...), ", ") + ".\n"
}

func machine() string {
	parts := []string{fmt.Sprintf("%d processors", runtime.NumCPU())}

	if name := field("/proc/cpuinfo", "model name"); name != "" {
		parts[0] += " (" + name + ")"
	}

	if memory := field("/proc/meminfo", "MemTotal"); memory != "" {
		var kib int64
		if _, err := fmt.Sscan(memory, &kib); err == nil {
			parts = append(parts, fmt.Sprintf("%d GiB of memory", (kib+1<<19)>>20))
		}
	}

	system := runtime.GOOS + "/" + runtime.GOARCH

	if release, err := os.ReadFile("/etc/os-release"); err == nil {
		if name := regexp.MustCompile(`(?m)^PRETTY_NAME="(.*)"$`).FindSubmatch(release); name != nil {
			system = string(name[1]) + ", " + system
		}
	}

	if load, err := os.ReadFile("/proc/loadavg"); err == nil {
		one, _, _ := strings.Cut(string(load), " ")
		parts = append(parts, "load "+one)
	}

	return strings.Join(append(parts, system), ", ")
}

// field returns the first value with that name in a Linux file, or an empty string.
func field(file, name string) string {
	content, err := os.ReadFile(file)
	if err != nil {
		return ""
	}

	found := regexp.MustCompile(`(?m)^` + regexp.QuoteMeta(name) + `\s*:\s*(.*)$`).FindSubmatch(content)
	if found == nil {
		return ""
	}

	return string(found[1])
}

func revision(ctx context.Context) string {
	out, err := exec.CommandContext(ctx, "git", "describe", "--always", "--dirty", "--exclude=*").Output()
	if err != nil {
		return ""
	}

	return strings.TrimSpace(string(out))
}

// Verdict returns "met" or "**missed**".
func Verdict(met bool) string {
	if met {
		return "met"
	}

	return "**missed**"
}
