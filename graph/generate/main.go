// Command generate generates the Go code of the graph from its schema and gqlgen.yml. It maps every GraphQL enum to a
// Go type by one naming rule.
package main

import (
	"fmt"
	"os"
	"strings"

	"github.com/99designs/gqlgen/api"
	"github.com/99designs/gqlgen/codegen/config"
	"github.com/vektah/gqlparser/v2/ast"
	"golang.org/x/tools/go/packages"
)

// values is the package that contains the Go types of the enums.
const values = "github.com/reelgraph/reelgraph/internal/video/values"

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run generates the code according to gqlgen.yml in this folder or a parent.
func run() error {
	cfg, err := config.LoadConfigFromDefaultLocations()
	if err != nil {
		return fmt.Errorf("read gqlgen.yml: %w", err)
	}

	if err := cfg.LoadSchema(); err != nil {
		return fmt.Errorf("read the schema: %w", err)
	}

	found, err := packages.Load(&packages.Config{Mode: packages.NeedTypes}, values)
	if err != nil {
		return fmt.Errorf("read %s: %w", values, err)
	}

	there := found[0].Types.Scope()

	for _, def := range cfg.Schema.Types {
		said, is := cfg.Models[def.Name]
		if def.Kind == ast.Enum && !def.BuiltIn && (is || there.Lookup(def.Name) != nil) { // other enums become types of graph/model
			if cfg.Models[def.Name], err = bound(def, said); err != nil {
				return err
			}
		}
	}

	if err := api.Generate(cfg); err != nil {
		return fmt.Errorf("generate: %w", err)
	}

	return nil
}

// bound returns the Go type of an enum and the constants of its values: values.Name and values.NameOfTheValue for
// NAME_OF_THE_VALUE, unless gqlgen.yml says otherwise. Entries of gqlgen.yml that repeat the rule are an error.
func bound(def *ast.Definition, said config.TypeMapEntry) (config.TypeMapEntry, error) {
	if said.Model == nil {
		said.Model = config.StringList{values + "." + def.Name}
	}

	names := map[string]config.EnumValue{}

	for _, v := range def.EnumValues {
		usual := config.EnumValue{Value: said.Model[0] + camel(v.Name)}
		names[v.Name] = usual

		if exception, is := said.EnumValues[v.Name]; is {
			if names[v.Name] = exception; exception == usual {
				return said, fmt.Errorf("gqlgen.yml: remove the entry for %s of %s: the naming rule produces the same name", v.Name, def.Name)
			}
		}
	}

	said.EnumValues = names

	return said, nil
}

// camel returns the end of a Go name for an enum value.
func camel(value string) string {
	var name strings.Builder

	for word := range strings.SplitSeq(value, "_") {
		name.WriteString(word[:1] + strings.ToLower(word[1:]))
	}

	return name.String()
}
