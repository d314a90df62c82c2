package server

import (
	"container/list"
	"sync"
)

// recent keeps the most recently used values, up to a total weight. It is safe for concurrent use.
type recent[V any] struct {
	mu     sync.Mutex
	room   int
	order  *list.List // of entry[V], most recently used first
	places map[string]*list.Element
}

type entry[V any] struct {
	key    string
	value  V
	weight int
}

func newRecent[V any](weight int) *recent[V] {
	return &recent[V]{room: weight, order: list.New(), places: map[string]*list.Element{}}
}

func (r *recent[V]) get(key string) (V, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()

	place, kept := r.places[key]
	if !kept {
		var none V

		return none, false
	}

	r.order.MoveToFront(place)

	return place.Value.(entry[V]).value, true //nolint:forcetypeassert // nothing else is put in
}

func (r *recent[V]) add(key string, value V, weight int) {
	r.mu.Lock()
	defer r.mu.Unlock()

	if _, kept := r.places[key]; kept {
		return
	}

	r.places[key] = r.order.PushFront(entry[V]{key, value, weight})
	r.room -= weight

	for r.room < 0 {
		last := r.order.Back()
		e := r.order.Remove(last).(entry[V]) //nolint:forcetypeassert // nothing else is put in
		delete(r.places, e.key)
		r.room += e.weight
	}
}
