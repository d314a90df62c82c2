// The input of relay-compiler. In an app, Relay's Babel plugin replaces these tags with the compiled artifacts;
// walk.mjs imports them directly.
import { graphql } from 'relay-runtime';

export const first = graphql`
  query queriesFirstQuery($count: Int!) {
    ...queriesVideos @arguments(count: $count)
  }
`;

export const videos = graphql`
  fragment queriesVideos on Query
  @refetchable(queryName: "queriesNextQuery")
  @argumentDefinitions(count: { type: "Int!" }, cursor: { type: "String" }) {
    videos(first: $count, after: $cursor) @connection(key: "queriesVideos_videos") {
      edges {
        node {
          id
          name
        }
      }
      pageInfo {
        hasNextPage
        endCursor
      }
    }
  }
`;
