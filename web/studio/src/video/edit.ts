import type { Client } from "urql";

import { save, type Known, type Outcome } from "../graph/conflict";
import { UpdateVideoPageDocument, VideoPageDocument, type LinkScope, type UpdateVideoPageMutation, type VideoPageFragment } from "./made/graphql";

export type Video = VideoPageFragment;

/** What can be changed of a video by its fields. The password is never read. */
export type Values = { name: string; password?: string } & Video["settings"];

export const valuesOf = ({ name, settings }: Video): Values => ({ name, ...settings });

/** known returns the values that a form begins with. */
export const known = (video: Video): Known<Values, number> => ({ values: valuesOf(video), revision: video.revision });

/** readAgain asks the server for a video, past the cache. */
export async function readAgain(client: Client, id: string): Promise<Video | null> {
  const { data } = await client.query(VideoPageDocument, { id }, { requestPolicy: "network-only" }).toPromise();
  return data?.video ?? null;
}

/** saveVideo sends the fields that were changed. */
export function saveVideo(client: Client, id: string, base: Known<Values, number>, changed: Partial<Values>): Promise<Outcome<Values, number, UpdateVideoPageMutation>> {
  return save({
    base,
    changed,
    send: (input, revision) => client.mutation(UpdateVideoPageDocument, { id, input, revision }).toPromise(),
    read: async () => {
      const now = await readAgain(client, id);
      return now && known(now);
    },
  });
}

/** differences returns the fields whose values are not those of the base. */
export function differences<V extends object>(base: V, now: V): Partial<V> {
  const fields = Object.keys(now) as (keyof V)[];
  return Object.fromEntries(fields.filter((field) => JSON.stringify(now[field]) !== JSON.stringify(base[field])).map((field) => [field, now[field]])) as Partial<V>;
}

/** The link scopes as people choose them. */
export const scopes: readonly { scope: LinkScope; label: string; about: string }[] = [
  { scope: "PUBLIC", label: "Anyone with the link", about: "Whoever has the link can watch, without signing in." },
  { scope: "PRIVATE", label: "Members only", about: "Only people of this workspace can watch, after they sign in." },
  { scope: "PASSWORD", label: "Password", about: "Whoever has the link and knows the password can watch." },
  { scope: "EMBEDONLY", label: "Embeds only", about: "The video plays on websites that embed it. Its own link does not open." },
];

export const scopeLabel = (scope: LinkScope): string => scopes.find((one) => one.scope === scope)!.label;
