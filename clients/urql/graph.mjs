import { Client, fetchExchange } from '@urql/core';
import { cacheExchange } from '@urql/exchange-graphcache';
import { relayPagination } from '@urql/exchange-graphcache/extras';
import { RENAME, UPDATED, VIDEOS, VIDEO_NAME } from '../documents.mjs';
import { report } from '../report.mjs';

const { API, KEY, VIDEO, OTHER, NAME } = process.env;

// A client with an empty cache and optional optimistic updates. Its subscriptions use server-sent events.
const fresh = (optimistic = {}) =>
  new Client({
    url: `${API}/graphql`,
    preferGetMethod: false,
    fetchOptions: { headers: { Authorization: `Bearer ${KEY}` } },
    fetchSubscriptions: true,
    exchanges: [
      cacheExchange({ resolvers: { Query: { videos: relayPagination() } }, optimistic }),
      fetchExchange,
    ],
  });

function dataOf({ data, error }) {
  if (error) throw error;

  return data;
}

await report({
  async pages() {
    const client = fresh();
    const lengths = [];

    for (let after; ; ) {
      const data = dataOf(await client.query(VIDEOS, { first: 2, after }).toPromise());
      if (!data?.videos) return null;
      const { edges, pageInfo } = data.videos;
      lengths.push(edges.length);
      if (!pageInfo.hasNextPage) return { lengths, videos: edges.map(({ node: { id, name } }) => ({ id, name })) };
      after = pageInfo.endCursor;
    }
  },

  // What a watcher of the video sees while it is renamed: the optimistic value, then the server's.
  async optimistic() {
    const client = fresh({
      updateVideo: ({ id }) => ({ __typename: 'UpdateVideoPayload', video: { __typename: 'Video', id, name: 'a guess' } }),
    });
    const seen = [];
    dataOf(await client.query(VIDEO_NAME, { id: VIDEO }).toPromise());
    const { unsubscribe } = client
      .query(VIDEO_NAME, { id: VIDEO })
      .subscribe((result) => void seen.push({ name: dataOf(result)?.video?.name }));
    dataOf(await client.mutation(RENAME, { id: VIDEO, name: NAME }).toPromise());
    unsubscribe();

    return seen;
  },

  // The current state of another video, and its state after an edit.
  subscription() {
    const client = fresh();

    return new Promise((resolve, reject) => {
      const seen = [];
      client.subscription(UPDATED, { id: OTHER }).subscribe(({ data, error }) => {
        if (error) return reject(error);
        const { name, revision } = data?.videoUpdated ?? {};
        seen.push({ name, revision });
        if (seen.length === 2) return resolve(seen);
        client.mutation(RENAME, { id: OTHER, name: NAME }).toPromise();
      });
    });
  },
});
