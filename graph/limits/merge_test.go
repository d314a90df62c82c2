package limits_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/vektah/gqlparser/v2"
	"github.com/vektah/gqlparser/v2/ast"
	"github.com/vektah/gqlparser/v2/parser"
	"github.com/vektah/gqlparser/v2/validator"
	"github.com/vektah/gqlparser/v2/validator/rules"
	"pgregory.net/rapid"

	"github.com/reelgraph/reelgraph/graph/limits"
)

const zoo = `
interface Named { name: String! one(n: Int): Named many: [Named] }
type Dog implements Named { name: String! one(n: Int): Named many: [Named] age: Int! dog: Dog cats: [Cat!] }
type Cat implements Named { name: String! one(n: Int): Named many: [Named] age: Int dog: [Dog] cats: [Cat!] }
union Pet = Dog | Cat
type Query { named: Named dog: Dog cat: Cat pet: Pet }`

// fields lists the fields of each type, leaves first, with the type below them.
func zooFields() map[string][][2]string {
	common := [][2]string{{"name", ""}, {"one", "Named"}, {"one(n: 1)", "Named"}, {"many", "Named"}}
	own := slices.Concat(common, [][2]string{{"age", ""}, {"dog", "Dog"}, {"cats", "Cat"}})

	return map[string][][2]string{
		"Query": {{"named", "Named"}, {"dog", "Dog"}, {"cat", "Cat"}, {"pet", "Pet"}},
		"Named": common, "Dog": own, "Cat": own, "Pet": {{"__typename", ""}},
	}
}

// zooSelection draws a selection set on a type.
func zooSelection(t *rapid.T, on string, depth int) string {
	var b strings.Builder

	for range rapid.IntRange(1, 3).Draw(t, "width") {
		switch what := rapid.IntRange(0, 9).Draw(t, "what"); {
		case what < 2 && depth > 0:
			condition := rapid.SampledFrom([]string{"Dog", "Cat", "Named", "Pet"}).Draw(t, "condition")
			if on == "Query" || on == "Dog" || on == "Cat" {
				condition = on
			}

			fmt.Fprintf(&b, "... on %s { %s } ", condition, zooSelection(t, condition, depth-1))
		case what < 4 && on != "Query":
			fmt.Fprintf(&b, "...F%s%d ", on, rapid.IntRange(0, 1).Draw(t, "fragment"))
		default:
			field := rapid.SampledFrom(zooFields()[on]).Draw(t, "field")
			if field[1] != "" && depth == 0 {
				field = [2]string{"__typename", ""}
			}

			alias := rapid.SampledFrom([]string{"", "", "", "a: ", "name: "}).Draw(t, "alias")
			b.WriteString(alias + field[0] + " ")

			if field[1] != "" {
				fmt.Fprintf(&b, "{ %s } ", zooSelection(t, field[1], depth-1))
			}
		}
	}

	return b.String()
}

// zooDocument draws a document with the fragments it spreads.
func zooDocument(t *rapid.T) string {
	fragments := map[string]string{}

	for _, on := range []string{"Dog", "Cat", "Named", "Pet"} {
		for i := range 2 {
			name := fmt.Sprintf("F%s%d", on, i)
			fragments[name] = fmt.Sprintf(" fragment %s on %s { %s }", name, on, zooSelection(t, on, 1))
		}
	}

	text := "{ " + zooSelection(t, "Query", 4) + "}"

	for again := true; again; {
		again = false

		for name, fragment := range fragments {
			if strings.Contains(text, "..."+name+" ") {
				text += fragment
				again = true

				delete(fragments, name)
			}
		}
	}

	return text
}

// TestMergingAgreesWithTheValidator compares our rule with the validator's on random documents.
func TestMergingAgreesWithTheValidator(t *testing.T) {
	t.Parallel()

	schema := gqlparser.MustLoadSchema(&ast.Source{Input: zoo})
	ours := limits.New(schema)
	others := rules.NewDefaultRules()
	others.RemoveRule(rules.OverlappingFieldsCanBeMergedRule.Name)

	merging := rules.NewRules(rules.OverlappingFieldsCanBeMergedRule)
	agreed := map[bool]int{}

	compare := func(rt *rapid.T) {
		text := zooDocument(rt)

		doc, err := parser.ParseQuery(&ast.Source{Input: text})
		require.NoError(rt, err)

		if errs := validator.ValidateWithRules(schema, doc, others); len(errs) > 0 {
			return // a ring of fragments
		}

		theirs := validator.ValidateWithRules(schema, doc, merging)
		require.Equal(rt, len(theirs) > 0, ours.Unmergeable(doc) != nil, "%s\n%v", text, theirs)
		agreed[len(theirs) > 0]++
	}

	// A hundred documents are not always of both kinds.
	for round := 0; round < 20 && (round == 0 || agreed[true] == 0 || agreed[false] == 0); round++ {
		rapid.Check(t, compare)
	}

	require.NotZero(t, agreed[true])
	require.NotZero(t, agreed[false])
}
