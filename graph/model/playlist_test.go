package model

import (
	"testing"

	"github.com/99designs/gqlgen/graphql"
	"github.com/stretchr/testify/require"
)

func TestEmoji(t *testing.T) {
	t.Parallel()

	faults := func(text string) int { return len(emojiRule(graphql.OmittableOf(&text))) }

	for _, one := range []string{"🎬", "👨‍👩‍👧", "👍🏽", "🇩🇪", "🏴󠁧󠁢󠁳󠁣󠁴󠁿", "1️⃣", "❤", "❤️", "☕", "‼️", "↔️", "ℹ️", "#️⃣", "🫩", "🇩🇪\uFE0F"} {
		require.Zero(t, faults(one), one)
	}

	for _, other := range []string{"a", "7", " ", "é", "д", "!", "\uFE0F", "\u20E3", "a\uFE0F", "a\uFE0F\u20E3", "1\uFE0F", "🎬🎬", "🎬a", "a🎬", "🇩", "👨\u200D", "👨\u200D\uFE0F", "🇩\U0001F3FB", "🇩\u0301\u0301"} {
		require.Equal(t, 1, faults(other), other)
	}

	require.Empty(t, emojiRule(graphql.OmittableOf[*string](nil)), "null takes it away")
	require.Empty(t, emojiRule(graphql.Omittable[*string]{}))
}
