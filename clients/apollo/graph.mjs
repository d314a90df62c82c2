import { ApolloClient, ApolloLink, HttpLink, InMemoryCache } from '@apollo/client';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { relayStylePagination } from '@apollo/client/utilities';
import { OperationTypeNode } from 'graphql';
import { createClient } from 'graphql-ws';
import { filter, firstValueFrom } from 'rxjs';
import { RENAME, UPDATED, VIDEOS, VIDEO_NAME } from '../documents.mjs';
import { report } from '../report.mjs';

const { API, KEY, VIDEO, OTHER, NAME } = process.env;
const Authorization = `Bearer ${KEY}`;

const socket = new GraphQLWsLink(
  createClient({ url: API.replace('http', 'ws') + '/graphql', connectionParams: { Authorization }, retryAttempts: 0 }),
);
const http = new HttpLink({ uri: `${API}/graphql`, headers: { Authorization } });

// A client with an empty cache.
const fresh = () =>
  new ApolloClient({
    cache: new InMemoryCache({ typePolicies: { Query: { fields: { videos: relayStylePagination() } } } }),
    link: ApolloLink.split(({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION, socket, http),
  });

await report({
  async pages() {
    const list = fresh().watchQuery({ query: VIDEOS, variables: { first: 2 } });
    await firstValueFrom(list.pipe(filter(({ loading }) => !loading)));
    const lengths = [];

    for (;;) {
      const { data, error } = list.getCurrentResult();
      if (error) throw error;
      if (!data?.videos) return null;
      const { edges, pageInfo } = data.videos;
      lengths.push(edges.length);
      if (!pageInfo.hasNextPage) return { lengths, videos: edges.map(({ node: { id, name } }) => ({ id, name })) };
      await list.fetchMore({ variables: { after: pageInfo.endCursor } });
    }
  },

  // What a watcher of the video sees while it is renamed: the optimistic value, then the server's.
  async optimistic() {
    const client = fresh();
    const seen = [];
    const watched = { query: VIDEO_NAME, variables: { id: VIDEO } };
    await client.query(watched);
    client.watchQuery(watched).subscribe(({ data, loading }) => void (loading || seen.push({ name: data?.video?.name })));

    const guess = { updateVideo: { __typename: 'UpdateVideoPayload', video: { __typename: 'Video', id: VIDEO, name: 'a guess' } } };
    await client.mutate({ mutation: RENAME, variables: { id: VIDEO, name: NAME }, optimisticResponse: guess });

    return seen;
  },

  // The current state of another video, and its state after an edit, over a websocket.
  async subscription() {
    const client = fresh();

    return new Promise((resolve, reject) => {
      const seen = [];
      client.subscribe({ query: UPDATED, variables: { id: OTHER } }).subscribe({
        next({ data, error }) {
          if (error) return reject(error);
          const { name, revision } = data?.videoUpdated ?? {};
          seen.push({ name, revision });
          if (seen.length === 2) return resolve(seen);
          client.mutate({ mutation: RENAME, variables: { id: OTHER, name: NAME } }).catch(reject);
        },
        error: reject,
      });
    });
  },
});
