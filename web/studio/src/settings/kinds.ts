import type { EventType } from "./made/graphql";

/** The kinds of events: their names in payloads, which are those of the documentation. */
export const kinds: readonly { type: EventType; name: string }[] = [
  { type: "VIDEO_CREATED", name: "video.created" },
  { type: "TRANSCRIPT_READY", name: "transcript.ready" },
  { type: "TRANSCRIPT_FAILED", name: "transcript.failed" },
  { type: "EXPORT_READY", name: "export.ready" },
  { type: "EXPORT_FAILED", name: "export.failed" },
  { type: "PLAYLIST_CREATED", name: "playlist.created" },
  { type: "PLAYLIST_VIDEO_ADDED", name: "playlist.video_added" },
  { type: "VIDEO_VIEWED", name: "video.viewed" },
  { type: "VIDEO_MILESTONE", name: "video.milestone" },
];

export const kindName = (type: EventType): string => kinds.find((kind) => kind.type === type)?.name ?? type;
