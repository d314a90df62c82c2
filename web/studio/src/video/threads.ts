type Said = { id: string; replyToId?: string | null | undefined };

/** threads puts replies below what they answer. Both stay in their order; a reply whose comment is not in the list is left out. */
export function threads<C extends Said>(comments: readonly C[]): { comment: C; replies: C[] }[] {
  const replies = new Map<string, C[]>();
  for (const comment of comments) {
    if (comment.replyToId) replies.set(comment.replyToId, [...(replies.get(comment.replyToId) ?? []), comment]);
  }
  return comments.filter((comment) => !comment.replyToId).map((comment) => ({ comment, replies: replies.get(comment.id) ?? [] }));
}

/**
 * merged applies an event to the comments that are known: changed ones in their places, new ones at the end, and gone ones
 * out, with their replies.
 */
export function merged<C extends Said>(known: readonly C[], changed: readonly C[], gone: readonly string[]): C[] {
  const next = new Map(known.map((comment) => [comment.id, comment]));
  for (const comment of changed) next.set(comment.id, comment);
  return [...next.values()].filter(({ id, replyToId }) => !gone.includes(id) && !(replyToId && gone.includes(replyToId)));
}
