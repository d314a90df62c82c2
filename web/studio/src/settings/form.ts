import { useState } from "react";
import { useClient, type AnyVariables, type TypedDocumentNode } from "urql";

import { fieldOf, messageOf } from "../graph/errors";
import { toast } from "../ui/toast";

/** useSend sends a mutation of a form or a button. It keeps what is wrong with a field, and shows other errors for a while. */
export function useSend() {
  const client = useClient();
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<{ field: string; rule: string } | null>(null);

  return {
    busy,
    problemOf: (field: string) => (problem?.field === field ? problem.rule : null),
    refuse: (field: string, rule: string) => setProblem({ field, rule }),
    /** send returns what the server answered, or null if it refused. fields are those that the form has. */
    async send<D, V extends AnyVariables>(document: TypedDocumentNode<D, V>, variables: V, fields: readonly string[] = []): Promise<D | null> {
      setBusy(true);
      setProblem(null);
      const { data, error } = await client.mutation(document, variables).toPromise();
      setBusy(false);
      if (!error) return data ?? null;
      const about = fieldOf(error);
      if (about && fields.includes(about.field)) setProblem(about);
      else if (fields.length === 1) setProblem({ field: fields[0]!, rule: messageOf(error) });
      else toast(messageOf(error), { problem: true });
      return null;
    },
  };
}
