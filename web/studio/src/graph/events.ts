import { useEffect, useRef } from "react";
import { useClient, type AnyVariables, type TypedDocumentNode } from "urql";

/** useEvents calls back for each event of a subscription, while it is mounted. It keeps none of them. */
export function useEvents<D, V extends AnyVariables>(document: TypedDocumentNode<D, V>, variables: V, on: (data: D) => void): void {
  const client = useClient();
  const key = JSON.stringify(variables);
  const latest = useRef(on);
  useEffect(() => {
    latest.current = on;
  });

  useEffect(() => {
    const { unsubscribe } = client.subscription(document, JSON.parse(key) as V).subscribe(({ data }) => {
      if (data) latest.current(data);
    });
    return unsubscribe;
  }, [client, document, key]);
}
