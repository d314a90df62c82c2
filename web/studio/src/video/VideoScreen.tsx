import { useEffect, useMemo, useRef, useState } from "react";
import { useClient, useQuery, useSubscription } from "urql";
import { useLocation, useParams } from "wouter";

import { Screen } from "../app/Screen";
import { useMedia } from "../app/useMedia";
import { loaded } from "../app/upgrade";
import { videosMade } from "../app/videos";
import { manages, mayCreate, useViewer } from "../app/viewer";
import { codeOf, messageOf } from "../graph/errors";
import { ago, count } from "../text/format";
import { Button, ButtonLink } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { Menu, type Item } from "../ui/Menu";
import { Empty, ErrorNote, Loading } from "../ui/Notes";
import { toast } from "../ui/toast";
import { Chapters } from "./Chapters";
import { Comments } from "./Comments";
import { scopeLabel, type Video } from "./edit";
import { ExportDialog, Exports } from "./Exports";
import { Figures } from "./Figures";
import { Frame } from "./Frame";
import { DuplicatePageDocument, VideoPageDocument, VideoPageUpdatedDocument } from "./made/graphql";
import { People } from "./People";
import { Player, PlayerProvider } from "./player";
import { ShareDialog } from "./Share";
import { TitleForm } from "./Title";
import { ThumbnailDialog } from "./Thumbnail";
import { Transcript } from "./Transcript";
import { Trim } from "./Trim";
import css from "./Video.module.css";

/** VideoScreen is the page of one video. */
export default function VideoScreen() {
  const { id = "" } = useParams<{ id: string }>();
  return <VideoOf key={id} id={id} />;
}

function VideoOf({ id }: { id: string }) {
  const [{ data, error }, again] = useQuery({ query: VideoPageDocument, variables: { id } });
  const [from] = useState(() => fromOf(location.search));
  const player = useMemo(() => new Player(from), [from]);
  // What it sends goes into the cache.
  useSubscription({ query: VideoPageUpdatedDocument, variables: { id }, pause: !data?.video });

  const video = data?.video;

  // The answer to a change may come after the news of a later one, and would hide it.
  const newest = useRef(0);
  useEffect(() => {
    if (!video) return;
    if (video.revision < newest.current) again({ requestPolicy: "network-only" });
    else newest.current = video.revision;
  }, [again, video]);

  if (video) {
    return (
      <PlayerProvider value={player}>
        <Page video={video} from={from} />
      </PlayerProvider>
    );
  }

  const missing = (data && !video && !error) || (error && ["not_found", "bad_request"].includes(codeOf(error)));
  return (
    <Screen title={missing ? "Nothing here" : "Video"}>
      {missing ? (
        <Empty icon="film" title="There is no such video" actions={<ButtonLink to="/">Go to your videos</ButtonLink>}>
          It may have been deleted, or it belongs to another workspace.
        </Empty>
      ) : error ? (
        <ErrorNote error={error} onRetry={() => again({ requestPolicy: "network-only" })} />
      ) : (
        <Loading />
      )}
    </Screen>
  );
}

/** useRights returns what the person may do with a video, by the rules of the server. */
function useRights(video: Video) {
  const viewer = useViewer();
  const own = video.creator.id === viewer.user.id;
  const role = video.collaborators.nodes.find((one) => one.userId === viewer.user.id)?.role;
  const works = mayCreate(viewer);
  const edits = works && (own || manages(viewer) || role === "EDITOR");
  return {
    edits,
    manages: works && (own || manages(viewer)),
    exports: edits || video.settings.downloadsEnabled,
    copies: edits || (works && video.settings.downloadsEnabled && video.settings.rawDownloadsEnabled),
    measures: edits || (video.visibility === "ORG" && works),
  };
}

/** fromOf reads the time in the address of the page, in milliseconds. */
const fromOf = (search: string): number => Math.max(0, Number(new URLSearchParams(search).get("t")) * 1000 || 0);

type Open = "share" | "export" | "name" | "thumbnail" | null;

function Page({ video, from }: { video: Video; from: number }) {
  const client = useClient();
  const [, go] = useLocation();
  const rights = useRights(video);
  const [open, setOpen] = useState<Open>(null);
  const [started, setStarted] = useState(0);
  const [added, setAdded] = useState(0); // files of captions

  async function duplicate() {
    const { data, error } = await client.mutation(DuplicatePageDocument, { id: video.id }).toPromise();
    if (error) return void toast(messageOf(error), { problem: true });
    const copy = data!.duplicateVideo.video;
    videosMade();
    toast(`“${copy.name}” was made`, { action: { label: "Open", run: () => go(`/videos/${copy.id}`) } });
  }

  async function discard() {
    const { trashVideos } = await loaded(import("../changes/changes"));
    if ((await trashVideos(client, [video.id])).length) go("/");
  }

  const items = (): Item[] => [
    { label: "Open the viewers’ page", icon: "eye", onPick: () => void window.open(video.links.viewPage, "_blank", "noopener") },
    ...(rights.edits ? [{ label: "Thumbnail", icon: "film" as const, onPick: () => setOpen("thumbnail") }] : []),
    ...(rights.copies ? [{ label: "Duplicate", icon: "library" as const, onPick: () => void duplicate() }] : []),
    ...(rights.manages ? (["line", { label: "Delete", icon: "trash", danger: true, onPick: () => void discard() }] as Item[]) : []),
  ];

  useEffect(() => {
    document.title = `${video.name} · Reelgraph`;
  }, [video.name]);

  // Where there is room for one column, what goes with watching comes first.
  const narrow = useMedia("(max-width: 1099px)");
  const words = (
    <>
      <Chapters video={video} edits={rights.edits} />
      <Transcript video={video} edits={rights.edits} onAdded={() => setAdded((n) => n + 1)} />
    </>
  );
  const files = (
    <>
      {rights.exports && <Exports video={video} started={started} />}
      <People video={video} manages={rights.manages} />
    </>
  );
  const figures = rights.measures && <Figures video={video} />;

  return (
    <Screen
      title={video.name}
      {...(open === "name" && { heading: <TitleForm video={video} onClose={() => setOpen(null)} /> })}
      about={
        <span className={css["about"]}>
          <bdi>{video.creator.name || video.creator.email}</bdi>
          <span>· {count(video.views, "view")}</span>
          <span>· changed {ago(video.updatedAt)}</span>
          <span>·</span>
          <Icon name={video.settings.linkScope === "PUBLIC" ? "globe" : "lock"} size={14} />
          <span>{scopeLabel(video.settings.linkScope)}</span>
        </span>
      }
      actions={
        <>
          {rights.edits && open !== "name" && (
            <Button icon="edit" look="quiet" compact onClick={() => setOpen("name")}>
              Rename
            </Button>
          )}
          <Button icon="link" look="strong" onClick={() => setOpen("share")}>
            Share
          </Button>
          {rights.exports && (
            <Button icon="download" onClick={() => setOpen("export")}>
              Export
            </Button>
          )}
          <Menu label="More" icon="more" compact items={items} />
        </>
      }
    >
      <div className={css["page"]}>
        <div className={css["column"]}>
          <Frame video={video} from={from} added={added} />
          {narrow && words}
          {!narrow && figures}
          {rights.edits && <Trim video={video} />}
          <Comments video={video} edits={rights.edits} />
          {narrow && figures}
          {narrow && files}
        </div>
        {!narrow && (
          <div className={css["column"]}>
            {words}
            {files}
          </div>
        )}
      </div>
      {open === "share" && <ShareDialog video={video} edits={rights.edits} onClose={() => setOpen(null)} />}
      {open === "thumbnail" && <ThumbnailDialog video={video} onClose={() => setOpen(null)} />}
      {open === "export" && <ExportDialog video={video} edits={rights.edits} onClose={() => setOpen(null)} onStarted={() => setStarted((n) => n + 1)} />}
    </Screen>
  );
}
