import { useClient, useQuery } from "urql";

import { SidebarDocument } from "../app/made/graphql";
import { count } from "../text/format";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { TagBox, type Choice } from "../ui/TagBox";
import { fail, inBulk } from "./bulk";
import { CreateTagDocument, TagVideosDocument, UntagVideosDocument } from "./made/graphql";
import type { Video } from "../library/rows";

/** TagDialog adds tags to videos and removes them. It shows the tags that all of them have. */
export function TagDialog({ videos, onClose }: { videos: readonly Video[]; onClose: () => void }) {
  const client = useClient();
  const [{ data }] = useQuery({ query: SidebarDocument, requestPolicy: "cache-first" });
  const has = (video: Video, id: string) => video.tags.nodes.some((tag) => tag.id === id);
  const shared = videos[0]?.tags.nodes.filter((tag) => videos.every((video) => has(video, tag.id))) ?? [];

  const add = (tag: Choice) =>
    inBulk(
      videos.filter((video) => !has(video, tag.id)).map((video) => video.id),
      (videos) => `${videos} tagged “${tag.name}”`,
      (videoIds) => client.mutation(TagVideosDocument, { videoIds, tagIds: [tag.id] }).toPromise(),
    );

  const remove = (tag: Choice) =>
    inBulk(
      videos.map((video) => video.id),
      (videos) => `“${tag.name}” removed from ${videos}`,
      (videoIds) => client.mutation(UntagVideosDocument, { videoIds, tagIds: [tag.id] }).toPromise(),
    );

  async function create(name: string) {
    const { data, error } = await client.mutation(CreateTagDocument, { input: { name } }).toPromise();
    if (error) fail(error);
    else await add(data!.createTag.tag);
  }

  return (
    <Dialog title="Tags" onClose={onClose} actions={<Button look="strong" onClick={onClose}>Done</Button>}>
      {videos.length > 1 && <p>Tags that all {count(videos.length, "video")} have.</p>}
      <TagBox
        label="Tags"
        placeholder="Find or create a tag"
        choices={data?.tags.nodes ?? []}
        picked={shared}
        onAdd={(tag) => void add(tag)}
        onRemove={(tag) => void remove(tag)}
        onCreate={(name) => void create(name)}
      />
    </Dialog>
  );
}
