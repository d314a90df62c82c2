import { parse } from 'graphql';

// The documents that Apollo Client and urql share.
export const VIDEOS = parse(`
  query Videos($first: Int!, $after: String) {
    videos(first: $first, after: $after) {
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
`);
export const VIDEO_NAME = parse(`
  query Video($id: ID!) {
    video(id: $id) {
      id
      name
    }
  }
`);
export const RENAME = parse(`
  mutation Rename($id: ID!, $name: String!) {
    updateVideo(id: $id, input: { name: $name }) {
      video {
        id
        name
      }
    }
  }
`);
export const UPDATED = parse(`
  subscription Updated($id: ID!) {
    videoUpdated(id: $id) {
      id
      name
      revision
    }
  }
`);
