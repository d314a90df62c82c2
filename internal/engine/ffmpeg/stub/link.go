package stub

import (
	"bytes"
	"context"
	"debug/elf"
	"errors"
	"os/exec"
	"slices"
	"strings"
)

// linked is what programs are linked with.
type linked struct {
	machine elf.Machine
	users   []file   // the programs, and the libraries that stay
	left    []string // the names of libraries that users ask for and that do not stay
	symbols []symbol // what users need of them
}

// object is a program or a library.
type object struct {
	needs   []string // names of libraries
	symbols []elf.Symbol
	machine elf.Machine
}

// link follows programs from library to library, as far as they stay. A program that is linked with none, and one that
// the system's loader does not load, leaves nothing.
func link(ctx context.Context, keep, programs []string) (linked, error) {
	var (
		l             linked
		paths         = map[string]string{}
		stay, leftOut []object
		seen          = map[string]bool{}
	)

	for todo := slices.Clone(programs); len(todo) > 0; {
		var path string
		path, todo = todo[0], todo[1:]

		o, err := read(path)
		if err != nil {
			return linked{}, err
		}

		user, err := look(path)
		if err != nil {
			return linked{}, err
		}

		l.users, stay, l.machine = append(l.users, user), append(stay, o), o.machine

		if slices.ContainsFunc(o.needs, func(name string) bool { return paths[name] == "" }) && slices.Contains(programs, path) {
			if err := trace(ctx, path, paths); err != nil {
				return linked{}, err
			}
		}

		for _, name := range o.needs {
			path, found := paths[name]
			if !found || seen[name] { // the loader is a library too, and stands nowhere else
				continue
			}

			seen[name] = true

			if slices.Contains(keep, stem(name)) {
				todo = append(todo, path)

				continue
			}

			o, err := read(path)
			if err != nil {
				return linked{}, err
			}

			l.left, leftOut = append(l.left, name), append(leftOut, o)
		}
	}

	l.symbols = missing(stay, leftOut)

	return l, nil
}

// trace asks the loader where it finds each library of a program. A loader other than glibc's, which does not know the
// question, runs the program.
func trace(ctx context.Context, program string, paths map[string]string) error {
	cmd := exec.CommandContext(ctx, program)
	cmd.Env = []string{"LD_TRACE_LOADED_OBJECTS=1"}

	out, err := cmd.Output()
	if err != nil {
		return err
	}

	for line := range bytes.Lines(out) {
		// libz.so.1 => /lib/x86_64-linux-gnu/libz.so.1 (0x00007f126c277000)
		if f := strings.Fields(string(line)); len(f) == 4 && f[1] == "=>" {
			paths[f[0]] = f[2]
		}
	}

	return nil
}

func read(path string) (object, error) {
	f, err := elf.Open(path)
	if err != nil {
		return object{}, err
	}
	defer func() { _ = f.Close() }()

	needs, err := f.ImportedLibraries()
	if err != nil {
		return object{}, err
	}

	symbols, err := f.DynamicSymbols()
	if errors.Is(err, elf.ErrNoSymbols) {
		err = nil
	}

	return object{needs, symbols, f.Machine}, err
}

// missing are the symbols that libraries which stay need of those which are left out.
func missing(stay, leftOut []object) []symbol {
	have, gone := map[string]bool{}, map[string]elf.Symbol{}

	for _, o := range stay {
		for _, s := range o.symbols {
			if s.Section != elf.SHN_UNDEF {
				have[s.Name] = true
			}
		}
	}

	for _, o := range leftOut {
		for _, s := range o.symbols {
			if s.Section != elf.SHN_UNDEF {
				gone[s.Name] = s
			}
		}
	}

	var all []symbol

	seen := map[symbol]bool{}

	for _, o := range stay {
		for _, s := range o.symbols {
			was, known := gone[s.Name]
			y := symbol{name: s.Name, version: s.Version}

			if elf.ST_TYPE(was.Info) == elf.STT_OBJECT {
				y.size = was.Size
			}

			if s.Section == elf.SHN_UNDEF && elf.ST_BIND(s.Info) == elf.STB_GLOBAL && known && !have[s.Name] && !seen[y] {
				all, seen[y] = append(all, y), true
			}
		}
	}

	return all
}
