import { Environment, Network, RecordSource, Store, createOperationDescriptor, fetchQuery, getSingularSelector } from 'relay-runtime';
import first from '../made/relay/queriesFirstQuery.graphql.js';
import next from '../made/relay/queriesNextQuery.graphql.js';
import fragment from '../made/relay/queriesVideos.graphql.js';
import { report } from '../report.mjs';

const { API, KEY } = process.env;
const count = 2;

async function ask({ text, name }, variables) {
  const answer = await fetch(`${API}/graphql`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: text, operationName: name, variables }),
  });

  return answer.json();
}

await report({
  // Like usePaginationFragment: reads the compiled fragment from the store and fetches the next page with its refetch
  // query.
  async pages() {
    const environment = new Environment({ network: Network.create(ask), store: new Store(new RecordSource()) });
    const operation = createOperationDescriptor(first, { count });
    environment.retain(operation);
    await fetchQuery(environment, first, { count }).toPromise();

    const { data } = environment.lookup(operation.fragment);
    const read = () => environment.lookup(getSingularSelector(fragment, data)).data.videos;
    const lengths = [];

    for (;;) {
      const { edges, pageInfo } = read();
      lengths.push(edges.length);
      if (!pageInfo.hasNextPage) return { lengths, videos: edges.map(({ node: { id, name } }) => ({ id, name })) };
      await fetchQuery(environment, next, { count, cursor: pageInfo.endCursor }).toPromise();
    }
  },
});
