import type { TypedDocumentNode } from '@graphql-typed-document-node/core';
import { print } from 'graphql';
import { graphql } from '../made/graphql-codegen/index';
import { report } from '../report.mjs';

const { API, KEY, VIDEO } = process.env as Record<string, string>;

const VIDEO_QUERY = graphql(`
  query Video($id: ID!) {
    video(id: $id) {
      id
      name
      durationSeconds
      dimensions {
        width
        height
      }
    }
  }
`);

async function ask<Data, Variables>(document: TypedDocumentNode<Data, Variables>, variables: Variables): Promise<Data> {
  const answer = await fetch(`${API}/graphql`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${KEY}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ query: print(document), variables }),
  });

  return (await answer.json()).data;
}

await report({
  async video() {
    const { video } = await ask(VIDEO_QUERY, { id: VIDEO });

    return video && { id: video.id, name: video.name, durationSeconds: video.durationSeconds, dimensions: video.dimensions };
  },
});
