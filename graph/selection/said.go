package selection

// Fields selects fields that have nothing below them.
func Fields(names ...string) Tree {
	t := Tree{said: make([]Node, len(names))}
	for i, name := range names {
		t.said[i] = Node{Name: name}
	}

	return t
}

// Nodes selects fields with everything that is known of them.
func Nodes(nodes ...Node) Tree { return Tree{said: nodes} }

// Under selects one field more, and what is wanted below it.
func (t Tree) Under(name string, wanted Tree) Tree { return t.UnderWith(name, nil, wanted) }

// UnderWith is Under for a field with arguments.
func (t Tree) UnderWith(name string, args map[string]any, wanted Tree) Tree {
	return t.And(Tree{said: []Node{{Name: name, Args: args, Tree: wanted}}})
}

// Page selects the items of a connection and where the page ends: all that a REST list needs.
func Page(items Tree) Tree {
	return Tree{}.Under("nodes", items).Under("pageInfo", Fields("hasNextPage", "endCursor"))
}
