// Command releases compares the GraphQL schema and the OpenAPI description with those of the last release, which are
// stored in docs/releases. It prints changes that would break clients, and exits with an error if there are any. With
// -write VERSION it stores the current schema and description as a new release with that version.
//
// This package compares the schemas (sdl.go). The program oasdiff compares the descriptions; tools/releases pins its
// version.
package main

import (
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/reelgraph/reelgraph/graph"
	"github.com/reelgraph/reelgraph/rest"
)

const (
	folder      = "docs/releases"
	schemaName  = "schema.graphqls"
	openAPIName = "openapi.json"
	address     = "https://reelgraph.example.com" // server address in the stored descriptions
)

func main() {
	version := flag.String("write", "", "store the current schema and description as those of this version")

	flag.Parse()

	if err := run(*version, os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "releases:", err)
		os.Exit(1)
	}
}

func run(version string, out io.Writer) error {
	description, err := rest.Describe(address).JSON()
	if err != nil {
		return fmt.Errorf("describe REST: %w", err)
	}

	if version != "" {
		return write(filepath.Join(folder, version), description)
	}

	last, err := lastRelease()
	if err != nil {
		return err
	}

	breaks, err := compareGraph(filepath.Join(folder, last, schemaName))
	if err != nil {
		return err
	}

	for _, b := range breaks {
		if _, err := fmt.Fprintln(out, "graph: "+b); err != nil {
			return fmt.Errorf("say what breaks: %w", err)
		}
	}

	restErr := compareREST(filepath.Join(folder, last, openAPIName), description, out)

	switch {
	case len(breaks) > 0:
		return fmt.Errorf("the schema breaks clients of %s in %d places", last, len(breaks))
	case restErr != nil:
		return fmt.Errorf("the OpenAPI description breaks clients of %s (above): %w", last, restErr)
	default:
		return nil
	}
}

func write(into string, description []byte) error {
	if err := os.MkdirAll(into, 0o755); err != nil { //nolint:gosec // public files
		return fmt.Errorf("make the folder of a release: %w", err)
	}

	for name, content := range map[string][]byte{schemaName: graph.SDL(), openAPIName: description} {
		if err := os.WriteFile(filepath.Join(into, name), content, 0o644); err != nil { //nolint:gosec // public files
			return fmt.Errorf("keep a release: %w", err)
		}
	}

	return nil
}

// lastRelease returns the folder with the highest version.
func lastRelease() (string, error) {
	entries, err := os.ReadDir(folder)
	if err != nil {
		return "", fmt.Errorf("look for releases: %w", err)
	}

	var all [][]int

	for _, e := range entries {
		if e.IsDir() {
			version, err := parts(e.Name())
			if err != nil {
				return "", err
			}

			all = append(all, version)
		}
	}

	if len(all) == 0 {
		return "", fmt.Errorf("no release is stored in %s", folder)
	}

	last := slices.MaxFunc(all, slices.Compare[[]int])

	return strings.Trim(strings.Join(strings.Fields(fmt.Sprint(last)), "."), "[]"), nil
}

func parts(version string) ([]int, error) {
	var all []int

	for part := range strings.SplitSeq(version, ".") {
		n, err := strconv.Atoi(part)
		if err != nil {
			return nil, fmt.Errorf("%s/%s is not named after a version such as 0.1.0", folder, version)
		}

		all = append(all, n)
	}

	return all, nil
}

func compareGraph(kept string) ([]string, error) {
	was, err := os.ReadFile(kept)
	if err != nil {
		return nil, fmt.Errorf("read the schema of a release: %w", err)
	}

	return compare(string(was), string(graph.SDL()), time.Now())
}

func compareREST(kept string, description []byte, out io.Writer) error {
	temporary, err := os.CreateTemp("", "openapi-*.json")
	if err != nil {
		return fmt.Errorf("keep the description: %w", err)
	}
	defer os.Remove(temporary.Name()) //nolint:errcheck // the system cleans its temporary folder

	if _, err := temporary.Write(description); err != nil {
		return fmt.Errorf("keep the description: %w", err)
	}

	if err := temporary.Close(); err != nil {
		return fmt.Errorf("keep the description: %w", err)
	}

	//nolint:noctx // the command runs until it is done
	cmd := exec.Command("go", "tool", "-modfile=tools/releases/go.mod", "oasdiff", "breaking", "--fail-on", "ERR", kept, temporary.Name())
	cmd.Stdout, cmd.Stderr = out, os.Stderr

	if err := cmd.Run(); err != nil {
		return fmt.Errorf("oasdiff: %w", err)
	}

	return nil
}
