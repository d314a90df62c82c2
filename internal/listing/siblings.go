package listing

import (
	"context"
	"sync"

	"github.com/reelgraph/reelgraph/ent"
)

// Siblings are videos that were read together. What is computed for all of them is computed once. It is safe for
// concurrent use.
type Siblings struct {
	IDs []string

	turn sync.Mutex
	made map[any]any
}

// siblingsName is the name under which videos hold their siblings.
const siblingsName = "siblings"

// tellSiblings tells each video which others were read with it.
func tellSiblings(_ context.Context, above []*ent.Video) error {
	all := &Siblings{IDs: idsOf(above)}

	for _, v := range above {
		v.Extra.Lists = append(v.Extra.Lists, ent.List{Name: siblingsName, Rows: all})
	}

	return nil
}

// SiblingsOf returns the videos that were read with a video, including itself.
func SiblingsOf(v *ent.Video) *Siblings {
	for _, list := range v.Extra.Lists {
		if all, told := list.Rows.(*Siblings); told && list.Name == siblingsName {
			return all
		}
	}

	return &Siblings{IDs: []string{v.ID}}
}

// Once returns what create returned when it was called for the first time with this key.
func Once[T any](s *Siblings, key any, create func() T) T {
	s.turn.Lock()
	defer s.turn.Unlock()

	made, known := s.made[key].(T)
	if !known {
		made = create()

		if s.made == nil {
			s.made = map[any]any{}
		}

		s.made[key] = made
	}

	return made
}
