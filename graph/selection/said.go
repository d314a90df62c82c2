package selection

// Fields returns a selection of fields that have no subfields.
func Fields(names ...string) Tree {
	t := Tree{said: make([]Node, len(names))}
	for i, name := range names {
		t.said[i] = Node{Name: name}
	}

	return t
}

// Nodes returns a selection of fields with their arguments and subfields.
func Nodes(nodes ...Node) Tree { return Tree{said: nodes} }

// Under returns the selection with one more field, called name. wanted holds the subfields of this field.
func (t Tree) Under(name string, wanted Tree) Tree { return t.UnderWith(name, nil, wanted) }

// UnderWith returns the selection with one more field, called name. args and wanted hold the arguments and subfields
// of this field.
func (t Tree) UnderWith(name string, args map[string]any, wanted Tree) Tree {
	return t.And(Tree{said: []Node{{Name: name, Args: args, Tree: wanted}}})
}

// Page returns the selection that a REST list needs: the fields of each item, and from pageInfo the fields
// hasNextPage and endCursor.
func Page(items Tree) Tree {
	return Tree{}.Under("nodes", items).Under("pageInfo", Fields("hasNextPage", "endCursor"))
}
