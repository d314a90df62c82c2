"use strict";

(async () => {
  const { buildSchema, getOperationAST, parse } = GraphiQL.GraphQL;
  const place = document.getElementById("graphiql");
  const { endpoint, schema: schemaAddress } = place.dataset;

  const welcome = `# Put your API key into Headers
# below; it stays in this browser.
# Or sign in at /sign-in, and
# leave the Headers as they are.
# Ctrl-Enter runs, Ctrl-Space
# completes.

query Welcome {
  viewer {
    user {
      name
      email
    }
    workspace {
      name
    }
    role
  }
  videos(first: 5) {
    nodes {
      id
      name
      durationSeconds
    }
  }
}
`;

  const post = (params, headers, accept, signal) =>
    fetch(endpoint, {
      method: "POST",
      headers: { ...headers, "Content-Type": "application/json", Accept: accept },
      body: JSON.stringify(params),
      signal,
    });

  const without = (headers, left) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => name.toLowerCase() !== left));

  const isKeyless = (headers) => {
    const name = Object.keys(headers).find((n) => n.toLowerCase() === "authorization");

    return !name || /^(bearer)?\s*$/i.test(headers[name]);
  };

  const selects = (operation, name) => operation?.selectionSet.selections.some((s) => s.name?.value === name);

  // Whoever has neither a key nor a session is told what to do about it here.
  const advised = (answer) =>
    !answer.data && answer.errors?.some((e) => e.extensions?.code === "unauthorized")
      ? { errors: [{ message: 'Put your API key into the Headers tab, {"Authorization": "Bearer reel_pk_…"}, or sign in at /sign-in.' }] }
      : answer;

  // Each "next" event of a stream is one result.
  async function* results(params, headers, signal) {
    const response = await post(params, headers, "text/event-stream", signal);

    if (!response.ok || !response.headers.get("Content-Type").startsWith("text/event-stream")) {
      const answer = await response.json();
      yield isKeyless(headers) ? advised(answer) : answer;

      return;
    }

    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();

    for (let pending = ""; ; ) {
      const { done, value } = await reader.read();
      if (done) {
        return;
      }

      const events = (pending + value).split("\n\n");
      pending = events.pop();

      for (const event of events) {
        if (event.startsWith("event: next\ndata: ")) {
          yield JSON.parse(event.slice("event: next\ndata: ".length));
        }
      }
    }
  }

  // A stream that the stop button ends at once, whatever it is waiting for.
  const stoppable = (params, headers) => {
    const abort = new AbortController();
    const stream = results(params, headers, abort.signal);

    return {
      [Symbol.asyncIterator]() {
        return this;
      },
      next: () =>
        stream.next().catch((error) => {
          if (abort.signal.aborted) {
            return { done: true, value: undefined };
          }

          throw error;
        }),
      return: async () => {
        abort.abort();

        return { done: true, value: undefined };
      },
    };
  };

  // The operation that runs. The editor may still name one that has just been typed over; whatever
  // cannot be read is left to the server to complain of.
  const chosen = (params) => {
    try {
      const document = parse(params.query);

      return getOperationAST(document, params.operationName) ?? getOperationAST(document);
    } catch {
      return null;
    }
  };

  const fetcher = (asked, { headers = {} } = {}) => {
    const operation = chosen(asked);

    const keyless = isKeyless(headers);
    if (keyless) {
      headers = without(headers, "authorization"); // the cookie counts
    }

    const params = operation ? { ...asked, operationName: operation.name?.value } : asked;

    if (operation?.operation === "subscription") {
      return stoppable(params, headers);
    }

    return post(params, headers, "application/graphql-response+json, application/json;q=0.9")
      .then((r) => r.json())
      .then((answer) => (keyless && !selects(operation, "signIn") ? advised(answer) : answer));
  };

  const schema = buildSchema(await (await fetch(schemaAddress)).text());

  ReactDOM.createRoot(place).render(
    React.createElement(GraphiQL, {
      fetcher,
      schema,
      defaultQuery: welcome,
      defaultHeaders: '{"Authorization": "Bearer "}',
      defaultEditorToolsVisibility: "headers",
      shouldPersistHeaders: true,
      visiblePlugin: GraphiQL.React.DOC_EXPLORER_PLUGIN,
    }),
  );
})();
