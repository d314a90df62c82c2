// What relay-compiler compiles. In an app its Babel plugin puts the compiled artifacts in the place of these tags; walk.mjs
// imports them itself.
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
