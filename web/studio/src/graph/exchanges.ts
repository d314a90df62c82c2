import type { Client, Exchange, Operation, OperationResult } from "urql";
import { filter, makeSubject, merge, pipe, tap } from "wonka";

import { session } from "./session";

/** signsIn marks the operation that signs in: its refusal is for the form, not the end of the session. */
export const signsIn = { signsIn: true } as const;

const refused = ({ operation, error }: OperationResult): boolean =>
  !("signsIn" in operation.context) && !!error?.graphQLErrors.some((e) => e.extensions["code"] === "unauthorized");

/**
 * sessionExchange keeps operations that are refused because the session has ended, and sends them again after the person
 * has signed in. It stands after the cache.
 */
export const sessionExchange: Exchange = ({ forward }) => {
  const held = new Map<number, Operation>();
  const { source, next } = makeSubject<Operation>();

  session.subscribe(() => {
    if (session.isEnded()) return;
    const again = [...held.values()];
    held.clear();
    again.forEach(next);
  });

  return (operations) =>
    pipe(
      merge([
        pipe(
          operations,
          tap((operation) => {
            if (operation.kind === "teardown") held.delete(operation.key);
          }),
        ),
        source,
      ]),
      forward,
      filter((result) => {
        if (!refused(result)) return true;
        held.set(result.operation.key, result.operation);
        session.end();
        return false;
      }),
    );
};

let refreshing: () => void = () => undefined;

/** refresh reads again what is on the screen. It is called when events may have been missed. */
export const refresh = (): void => refreshing();

/** refreshExchange knows the queries that are on the screen. It stands before the cache. */
export const refreshExchange: Exchange = ({ client, forward }) => {
  const active = new Map<number, Operation>();
  refreshing = () => {
    for (const operation of active.values()) again(client, operation);
  };

  return (operations) =>
    pipe(
      operations,
      tap((operation) => {
        if (operation.kind === "query") active.set(operation.key, operation);
        else if (operation.kind === "teardown") active.delete(operation.key);
      }),
      forward,
    );
};

function again(client: Client, operation: Operation): void {
  client.reexecuteOperation(client.createRequestOperation("query", operation, { ...operation.context, requestPolicy: "cache-and-network" }));
}
