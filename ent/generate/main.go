// Command generate generates the code of the ent entities from ent/schema.
package main

import (
	"fmt"
	"os"
	"strings"

	"entgo.io/ent/entc"
	"entgo.io/ent/entc/gen"
)

func main() {
	config := &gen.Config{
		Features: []gen.Feature{
			gen.FeatureIntercept, gen.FeatureExecQuery, gen.FeatureModifier, gen.FeatureLock, gen.FeatureUpsert, gen.FeatureVersionedMigration,
		},
		Hooks: []gen.Hook{alias},
	}

	if err := entc.Generate("./schema", config, entc.TemplateDir("./template")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// alias has the generated code import the package values under another name: ent gives some parameters that one.
func alias(next gen.Generator) gen.Generator {
	return gen.GenerateFunc(func(g *gen.Graph) error {
		for _, node := range g.Nodes {
			for _, field := range node.Fields {
				if t := field.Type; t != nil && t.PkgName == "values" {
					t.PkgName = "vals"
					t.Ident = strings.ReplaceAll(t.Ident, "values.", "vals.")
				}
			}
		}

		return next.Generate(g)
	})
}
