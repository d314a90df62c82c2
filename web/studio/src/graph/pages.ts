import { useCallback, useEffect, useRef, useState } from "react";
import { useClient, type AnyVariables, type CombinedError, type TypedDocumentNode } from "urql";

type Connection<N> = { nodes: readonly N[]; pageInfo: { hasNextPage: boolean; endCursor?: string | null } };

type Pages<N> = {
  nodes: readonly N[];
  /** Null until the first page is there. */
  loaded: boolean;
  error: CombinedError | null;
  hasMore: boolean;
  more: () => void;
  /** Reads as many pages as are shown again. */
  reload: () => Promise<void>;
  /** Changes what is shown without the server, for events of a subscription. */
  change: (to: (nodes: readonly N[]) => readonly N[]) => void;
};

/**
 * usePages reads a list page by page. Another key begins anew. Pages stand by themselves: a list that changes is read
 * again as a whole, so that nothing is missing or twice between two pages.
 */
export function usePages<D, V extends AnyVariables, N>(key: string, document: TypedDocumentNode<D, V>, variables: V, pick: (data: D) => Connection<N> | null | undefined): Pages<N> {
  const client = useClient();
  const [state, setState] = useState<{ key: string; nodes: readonly N[]; end: string | null; pages: number; error: CombinedError | null }>({ key: "", nodes: [], end: null, pages: 0, error: null });
  const given = useRef({ variables, pick });
  given.current = { variables, pick };
  const shown = useRef(state);
  shown.current = state;
  const run = useRef(0);

  const read = useCallback(
    async (from: { nodes: readonly N[]; end: string | null; pages: number }, upTo: number) => {
      const mine = ++run.current;
      let { nodes, end, pages } = from;
      do {
        const { data, error } = await client.query(document, { ...given.current.variables, after: end } as V, { requestPolicy: "network-only" }).toPromise();
        if (mine !== run.current) return;
        const page = data && given.current.pick(data);
        if (error || !page) return setState((now) => ({ ...(now.key === key ? now : { key, nodes: [], end: null, pages: 0 }), key, error: error ?? null }));
        nodes = [...nodes, ...page.nodes];
        end = page.pageInfo.hasNextPage ? (page.pageInfo.endCursor ?? null) : null;
        pages++;
      } while (end && pages < upTo);
      setState({ key, nodes, end, pages, error: null });
    },
    [client, document, key],
  );

  useEffect(() => {
    void read({ nodes: [], end: null, pages: 0 }, 1);
    return () => void run.current++;
  }, [read]);

  const now = state.key === key ? state : { key, nodes: [], end: null, pages: 0, error: null };
  return {
    nodes: now.nodes,
    loaded: now.pages > 0,
    error: now.error,
    hasMore: now.end !== null,
    more: () => void read(now, now.pages + 1),
    reload: useCallback(() => read({ nodes: [], end: null, pages: 0 }, shown.current.pages), [read]),
    change: useCallback((to) => setState((now) => ({ ...now, nodes: to(now.nodes) })), []),
  };
}
