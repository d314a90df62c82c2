"use strict";

(async () => {
  const { buildSchema, getOperationAST, parse } = GraphiQL.GraphQL;
  const place = document.getElementById("graphiql");
  const { endpoint, schema: schemaAddress, tabs: tabsAddress } = place.dataset;

  const session = document.getElementById("session");

  // The text of a tab that the reader opens.
  const welcome = "# Ctrl-Space completes, Ctrl-Enter runs.\n\n";

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

  const signIn = "/sign-in?to=/graphiql";

  // Without a session and without a key, the answer says how to sign in here.
  const advised = (answer) =>
    !answer.data && answer.errors?.some((e) => e.extensions?.code === "unauthorized")
      ? { errors: [{ message: `Sign in at ${signIn}, or put an API key into the Headers tab: {"Authorization": "Bearer reel_pk_…"}` }] }
      : answer;

  const ask = (params, headers) =>
    post(params, headers, "application/graphql-response+json, application/json;q=0.9").then((r) => r.json());

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

  // A stream that the stop button ends immediately.
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

  // The operation to run. The editor may still name one that was just overwritten. A document that cannot be parsed is
  // left to the server.
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
      headers = without(headers, "authorization"); // use the cookie
    }

    const params = operation ? { ...asked, operationName: operation.name?.value } : asked;

    if (operation?.operation === "subscription") {
      return stoppable(params, headers);
    }

    return ask(params, headers).then((answer) => {
      const changed = ["signIn", "signOut", "switchWorkspace", "acceptInvitation"].some((name) => selects(operation, name));
      if (changed) {
        tell();
      }

      return keyless && !changed ? advised(answer) : answer;
    });
  };

  // The signed-in person and the ids of their newest items, for the variables of the prepared tabs.
  const look = `{
    viewer { user { name email } workspace { name } role }
    videos(first: 1) { nodes { id clips(first: 1) { nodes { id } } exports(first: 1) { nodes { id } } } }
  }`;

  const tell = async () => {
    const { data } = await ask({ query: look }, {}).catch(() => ({}));

    if (!data?.viewer) {
      const link = document.createElement("a");
      link.href = signIn;
      link.textContent = "Sign in";
      session.replaceChildren("Not signed in", link);

      return undefined;
    }

    const { user, workspace, role } = data.viewer;
    const who = document.createElement("b");
    who.textContent = user.name || user.email;
    session.replaceChildren("Signed in as ", who, `, ${role.toLowerCase()} of ${workspace.name}`);

    return data.videos?.nodes[0];
  };

  const filled = (variables, video) =>
    variables
      .replace("$VIDEO", video?.id ?? "vid_…")
      .replace("$CLIP", video?.clips.nodes[0]?.id ?? "cl_…")
      .replace("$EXPORT", video?.exports.nodes[0]?.id ?? "exp_…");

  const fetched = async (address) => (await fetch(address)).text();
  const [sdl, tabs, video] = await Promise.all([fetched(schemaAddress), fetched(tabsAddress).then(JSON.parse), tell()]);

  const ready = tabs.map((tab) => ({ query: tab.query, variables: filled(tab.variables, video) }));

  // A link opens its document in a new tab: #query=…&variables=…
  const linked = new URLSearchParams(location.hash.slice(1));
  if (linked.has("query")) {
    ready.unshift({ query: linked.get("query"), variables: linked.get("variables") ?? "" });
    history.replaceState(null, "", location.pathname);
  }

  // GraphiQL switches to the tab of the given document, and opens one if there is none.
  const isNew = localStorage.getItem("graphiql:tabState") === null;
  const shown = linked.has("query") || isNew ? ready[0] : {};

  // The history stores what was sent, without keys.
  const keyless = (value) => JSON.stringify(JSON.parse(value), (name, below) => (name === "headers" ? undefined : below));
  const storage = {
    get length() {
      return localStorage.length;
    },
    clear: () => localStorage.clear(),
    getItem: (name) => localStorage.getItem(name),
    removeItem: (name) => localStorage.removeItem(name),
    setItem: (name, value) => localStorage.setItem(name, /:(queries|favorites)$/.test(name) ? keyless(value) : value),
  };

  addEventListener("hashchange", () => location.reload());

  ReactDOM.createRoot(place).render(
    React.createElement(GraphiQL, {
      fetcher,
      schema: buildSchema(sdl),
      storage,
      ...shown,
      defaultQuery: welcome,
      defaultTabs: ready,
      defaultEditorToolsVisibility: "variables",
      visiblePlugin: innerWidth > 900 ? GraphiQL.React.DOC_EXPLORER_PLUGIN : undefined,
    }),
  );
})();
