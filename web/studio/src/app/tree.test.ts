import { expect, test } from "vitest";

import { tree } from "./tree";

test("playlists stand in their groups, in the order of the sidebar", () => {
  const groups = [{ id: "g2", name: "B", position: 1 }, { id: "g1", name: "A", position: 0 }];
  const playlists = [
    { id: "p1", groupId: "g1", position: 1 }, { id: "p2", groupId: null, position: 1 }, { id: "p3", groupId: "g1", position: 0 },
    { id: "p4", groupId: "gone", position: 0 },
  ];
  const ids = tree(groups, playlists).map(({ group, playlists }) => [group?.id ?? null, playlists.map((p) => p.id)]);
  expect(ids).toEqual([[null, ["p4", "p2"]], ["g1", ["p3", "p1"]], ["g2", []]]);
  expect(tree([], [])).toEqual([]);
});
