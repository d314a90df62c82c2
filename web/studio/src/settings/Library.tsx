import { useRef, useState } from "react";
import { useClient } from "urql";

import { loaded } from "../app/upgrade";
import { mayCreate, manages, useViewer } from "../app/viewer";
import { here } from "../graph/address";
import { usePages } from "../graph/pages";
import { clock, date } from "../text/format";
import { Button } from "../ui/Button";
import { Confirm } from "../ui/Confirm";
import { Select } from "../ui/Field";
import { More } from "../ui/More";
import { Empty } from "../ui/Notes";
import { Progress } from "../ui/Progress";
import { Row, Rows } from "../ui/Rows";
import { toast } from "../ui/toast";
import { useSend } from "./form";
import { Frame } from "./Frame";
import { DeleteLibraryItemDocument, LibraryItemsDocument, type LibraryItemsQuery, type LibraryScope, type LibraryType } from "./made/graphql";
import css from "./Settings.module.css";

type Item = LibraryItemsQuery["library"]["nodes"][number];

const scopes = [
  { value: "ALL", label: "Everything" },
  { value: "PRIVATE", label: "Only mine" },
  { value: "WORKSPACE", label: "The workspace’s" },
  { value: "DEFAULT", label: "Built in" },
] as const;

const types = [
  { value: "ALL", label: "All kinds" },
  { value: "IMAGE", label: "Pictures" },
  { value: "VIDEO", label: "Videos" },
  { value: "SOUND_EFFECT", label: "Sound effects" },
  { value: "MUSIC", label: "Music" },
] as const;

const typeWords: Record<LibraryType, string> = { IMAGE: "picture", VIDEO: "video", SOUND_EFFECT: "sound effect", MUSIC: "music" };
const scopeWords: Record<LibraryScope, string> = { DEFAULT: "built in", PRIVATE: "only for you", WORKSPACE: "for the workspace" };

const places = [
  { value: "PRIVATE", label: "For me" },
  { value: "WORKSPACE", label: "For the workspace" },
] as const;

/** Library are pictures, videos and sounds for reuse in videos. */
export function Library() {
  const viewer = useViewer();
  const [scope, setScope] = useState<(typeof scopes)[number]["value"]>("ALL");
  const [type, setType] = useState<(typeof types)[number]["value"]>("ALL");
  const [place, setPlace] = useState<(typeof places)[number]["value"]>("PRIVATE");
  const items = usePages(`${scope} ${type}`, LibraryItemsDocument, { ...(scope !== "ALL" && { scope }), ...(type !== "ALL" && { type }) }, (data) => data.library);
  const client = useClient();
  const { send } = useSend();
  const [removed, remove] = useState<Item | null>(null);
  const [sending, setSending] = useState<{ name: string; part: number | null } | null>(null);
  const input = useRef<HTMLInputElement>(null);

  async function upload(files: readonly File[]) {
    const { sendItem } = await loaded(import("./sendItem"));
    for (const file of files) {
      setSending({ name: file.name, part: 0 });
      const problem = await sendItem(client, file, place, (part) => setSending({ name: file.name, part }));
      toast(problem ? `“${file.name}” was not added: ${problem}` : `“${file.name}” was added`, { problem: !!problem });
    }
    setSending(null);
    await items.reload();
  }

  return (
    <Frame
      part="library"
      about="Pictures, videos and sounds to use again in your videos."
      actions={
        mayCreate(viewer) && (
          <>
            <Select label="Add" bare value={place} options={places} onPick={setPlace} />
            <Button look="strong" icon="upload" busy={!!sending} onClick={() => input.current!.click()}>
              Upload
            </Button>
            <input
              ref={input}
              type="file"
              multiple
              hidden
              accept="image/*,video/*,audio/*"
              onChange={(event) => {
                void upload([...event.target.files!]);
                event.target.value = "";
              }}
            />
          </>
        )
      }
    >
      {sending && (
        <div role="status">
          <p className={css["quiet"]}>
            {sending.part === null ? "Reading" : "Uploading"} “<bdi>{sending.name}</bdi>”
          </p>
          <Progress label={`Upload of ${sending.name}`} value={sending.part} />
        </div>
      )}
      <div>
        <div className={css["choices"]}>
          <Select label="Owner" bare value={scope} options={scopes} onPick={setScope} />
          <Select label="Kind" bare value={type} options={types} onPick={setType} />
        </div>
        {items.nodes.length > 0 && (
          <Rows label="Media">
            {items.nodes.map((item) => (
              <Row
                key={item.id}
                title={item.name}
                about={[typeWords[item.type], item.durationSeconds ? clock(item.durationSeconds * 1000) : item.width && `${item.width} × ${item.height}`, scopeWords[item.scope], item.scope !== "DEFAULT" && `added ${date(item.createdAt)}`].filter(Boolean).join(" · ")}
                actions={
                  <>
                    <Preview item={item} />
                    {(item.scope === "PRIVATE" || (item.scope === "WORKSPACE" && (manages(viewer) || mayCreate(viewer)))) && (
                      <Button look="danger" onClick={() => remove(item)}>
                        Remove
                      </Button>
                    )}
                  </>
                }
              />
            ))}
          </Rows>
        )}
        {items.loaded && !items.nodes.length && (
          <Empty icon="folder" title="There is nothing here">
            Upload a picture, a video or a sound, and use it in any video.
          </Empty>
        )}
        <More pages={items} />
      </div>
      {removed && (
        <Confirm
          title="Remove"
          onClose={() => remove(null)}
          onConfirm={async () => {
            if (!(await send(DeleteLibraryItemDocument, { id: removed.id }))) return;
            items.change((nodes) => nodes.filter(({ id }) => id !== removed.id));
            toast(`“${removed.name}” was removed`);
          }}
        >
          <p>
            “<bdi>{removed.name}</bdi>” leaves the library. Videos that use it stay as they are.
          </p>
        </Confirm>
      )}
    </Frame>
  );
}

/** Preview shows a picture or a still, or plays a sound when it is asked to. */
function Preview({ item }: { item: Item }) {
  const [on, play] = useState(false);
  const url = here(item.url);

  if (item.type === "IMAGE") return <img src={url} alt="" loading="lazy" className={css["preview"]} />;
  if (!on) return <Button onClick={() => play(true)}>Play</Button>;
  if (item.type === "VIDEO") return <video src={url} controls autoPlay muted playsInline aria-label={item.name} className={css["preview"]} />;
  return <audio src={url} controls autoPlay aria-label={item.name} onError={() => toast(`“${item.name}” cannot be played here`, { problem: true })} />;
}
