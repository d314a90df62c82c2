package repolint_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"go.yaml.in/yaml/v3"
)

// service is the checked part of a service in compose.yaml.
type service struct {
	Build struct {
		Context, Target string
	}
	Command     []string
	Environment map[string]string
	Image       string
	ReadOnly    bool     `yaml:"read_only"`
	CapDrop     []string `yaml:"cap_drop"`
	SecurityOpt []string `yaml:"security_opt"`
	Volumes     []string
	Networks    []string
	DependsOn   map[string]any `yaml:"depends_on"`
}

// The tests have no container engine. Instead they check what the container files name: every setting, command, queue,
// stage and file exists, nothing runs as root, and everything is pinned.
func TestContainerFiles(t *testing.T) {
	t.Parallel()

	source, err := os.ReadFile("../../Dockerfile")
	require.NoError(t, err)

	dockerfile := string(source)
	program := programOf(t)
	known := func(word string) {
		require.Regexp(t, `\b[nN]ame: +"`+regexp.QuoteMeta(word)+`"`, program, "the program does not know %s", word)
	}

	// Each base image is pinned or another stage, and each stage that runs leaves root.
	stages := map[string]string{}

	for part := range strings.SplitSeq(dockerfile, "\nFROM ") {
		if stage := regexp.MustCompile(`^(\S+) AS (\S+)\n((?s).*)`).FindStringSubmatch(part); stage != nil {
			require.Contains(t, []string{"${GO}", "${BASE}"}, stage[1])
			stages[stage[2]] = stage[3]
		}
	}

	require.Len(t, stages, 4)

	for _, pinned := range regexp.MustCompile(`(?m)^ARG \w+=(.*)$`).FindAllStringSubmatch(dockerfile, -1) {
		require.Regexp(t, `^[a-z]+:\d+\.\d+(\.\d+)?-[a-z]+$`, pinned[1])
	}

	for _, run := range []string{"serve", "storage"} {
		require.Regexp(t, `(?m)^USER 10001:10001$`, stages[run])
		require.NotRegexp(t, `(?ms)^USER.*^(RUN|USER)`, stages[run], "no RUN or USER may follow USER")
	}

	for _, setting := range regexp.MustCompile(`REELGRAPH_\w+`).FindAllString(dockerfile, -1) {
		known(setting)
	}

	for _, words := range regexp.MustCompile(`(?m)(?:^CMD|HEALTHCHECK .* CMD) \["(?:reelgraph", ")?(\w+)"\]$`).FindAllStringSubmatch(stages["serve"], -1) {
		known(words[1])
	}

	for _, copied := range regexp.MustCompile(`(?m)^COPY ([^-.\n].*) \./$`).FindAllStringSubmatch(dockerfile, -1) {
		for file := range strings.FieldsSeq(copied[1]) {
			require.FileExists(t, "../../"+file)
		}
	}

	source, err = os.ReadFile("../../compose.yaml")
	require.NoError(t, err)

	var compose struct {
		Services          map[string]service
		Volumes, Networks map[string]any
	}

	require.NoError(t, yaml.Unmarshal(source, &compose))
	require.Len(t, compose.Services, 4)

	for name, s := range compose.Services {
		for _, volume := range s.Volumes {
			volume, _, _ = strings.Cut(volume, ":")
			require.Contains(t, compose.Volumes, volume, name)
		}

		for _, network := range s.Networks {
			require.Contains(t, compose.Networks, network, name)
		}

		for other := range s.DependsOn {
			require.Contains(t, compose.Services, other, name)
		}

		if s.Build.Context == "" {
			require.Regexp(t, `^[a-z]+:\d+\.\d+$`, s.Image, name)

			continue
		}

		require.Contains(t, stages, s.Build.Target, name)
		require.True(t, s.ReadOnly, name)
		require.Equal(t, []string{"ALL"}, s.CapDrop, name)
		require.Equal(t, []string{"no-new-privileges:true"}, s.SecurityOpt, name)

		for setting, value := range s.Environment {
			if s.Build.Target != "serve" {
				continue
			}

			known(setting)

			// The file holds no passwords, only references to settings.
			require.NotRegexp(t, `://\w+:[^$@]+@`, value, name)
		}

		for _, command := range s.Command {
			known(command)
		}
	}

	// Together the two processes work every queue.
	queues := strings.Join([]string{compose.Services["serve"].Environment["REELGRAPH_WORKERS"], compose.Services["worker"].Environment["REELGRAPH_WORKERS"]}, ",")
	require.ElementsMatch(t, queuesOf(t), regexp.MustCompile(`[a-z]+`).FindAllString(queues, -1))
}

// programOf returns the source of the commands, with the names they know.
func programOf(t *testing.T) string {
	t.Helper()

	files, err := filepath.Glob("../../cmd/reelgraph/*.go")
	require.NoError(t, err)

	settings, err := filepath.Glob("../../cmd/reelgraph/settings/*.go")
	require.NoError(t, err)

	var all strings.Builder

	for _, file := range append(files, settings...) {
		source, err := os.ReadFile(file)
		require.NoError(t, err)
		all.Write(source)
	}

	return all.String()
}

// queuesOf returns the names of all queues, from their constants.
func queuesOf(t *testing.T) []string {
	t.Helper()

	var names []string

	files, err := filepath.Glob("../../internal/platform/jobs/*.go")
	require.NoError(t, err)

	for _, file := range files {
		source, err := os.ReadFile(file)
		require.NoError(t, err)

		for _, found := range regexp.MustCompile(`\bQueue\w+\s+= "(\w+)"`).FindAllStringSubmatch(string(source), -1) {
			names = append(names, found[1])
		}
	}

	slices.Sort(names)

	return slices.Compact(names)
}
