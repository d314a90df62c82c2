import { useEffect, useId, useState, type FormEvent } from "react";
import { useClient } from "urql";
import { Link, useLocation } from "wouter";

import { Screen } from "../app/Screen";
import { tree } from "../app/tree";
import { mayCreate, useViewer } from "../app/viewer";
import { fail } from "../changes/bulk";
import { fieldOf, messageOf } from "../graph/errors";
import { usePages } from "../graph/pages";
import { count } from "../text/format";
import { Button } from "../ui/Button";
import { Confirm } from "../ui/Confirm";
import { Dialog } from "../ui/Dialog";
import { Select, TextField } from "../ui/Field";
import { Icon } from "../ui/Icon";
import { Menu } from "../ui/Menu";
import { More } from "../ui/More";
import { SortableList } from "../ui/SortableList";
import { toast } from "../ui/toast";
import { readSidebar, usePlaylistChanges } from "./changes";
import { ChangeGroupDocument, ChangePlaylistDocument, DeleteGroupDocument, DeletePlaylistDocument, GroupRowsDocument, MakeGroupDocument, PlaylistRowsDocument, type GroupRowsQuery, type PlaylistRowFragment, type Visibility } from "./made/graphql";
import { PlaylistForm } from "./PlaylistForm";
import { placeBefore, placed } from "./places";
import css from "./Playlists.module.css";
import { SharePlaylist } from "./SharePlaylist";

type Group = GroupRowsQuery["playlistGroups"]["nodes"][number];
type Asked = { what: "create" } | { what: "group"; group?: Group } | { what: "edit" | "share" | "delete"; playlist: PlaylistRowFragment; groups: readonly Group[] } | { what: "ungroup"; group: Group };

/** Playlists lists all playlists in their groups, in the order of the sidebar, which is changed here. */
export default function Playlists() {
  const viewer = useViewer();
  const client = useClient();
  const [, go] = useLocation();
  const [asked, ask] = useState<Asked | null>(null);
  const [version, setVersion] = useState(0);
  const close = () => ask(null);

  function changed() {
    setVersion((now) => now + 1);
    readSidebar(client);
  }

  usePlaylistChanges(changed);

  return (
    <Screen
      title="Playlists"
      width="narrow"
      actions={
        mayCreate(viewer) && (
          <>
            <Button icon="folder" onClick={() => ask({ what: "group" })}>
              Create group
            </Button>
            <Button look="strong" icon="plus" onClick={() => ask({ what: "create" })}>
              Create playlist
            </Button>
          </>
        )
      }
    >
      <Section title="Workspace playlists" visibility="ORG" version={version} onAsk={ask} onChanged={changed} />
      <Section title="My playlists" visibility="PERSONAL" version={version} onAsk={ask} onChanged={changed} />

      {asked?.what === "create" && <PlaylistForm title="Create playlist" onClose={close} onSaved={({ id }) => go(`/playlists/${id}`)} />}
      {asked?.what === "group" && (
        <GroupForm
          {...(asked.group && { group: asked.group })}
          onClose={close}
          onSaved={() => {
            close();
            changed();
          }}
        />
      )}
      {asked?.what === "edit" && (
        <PlaylistForm
          title="Edit"
          playlist={asked.playlist}
          groups={asked.groups}
          onClose={close}
          onSaved={() => {
            close();
            changed();
          }}
        />
      )}
      {asked?.what === "share" && <SharePlaylist playlist={asked.playlist} onClose={close} onSaved={changed} />}
      {asked?.what === "delete" && (
        <Confirm
          title="Delete"
          onClose={close}
          onConfirm={async () => {
            const { error } = await client.mutation(DeletePlaylistDocument, { id: asked.playlist.id }).toPromise();
            if (error) return fail(error);
            changed();
            toast(`“${asked.playlist.name}” was deleted`);
          }}
        >
          <p>
            “<bdi>{asked.playlist.name}</bdi>” cannot be brought back. Its videos stay in the library.
          </p>
        </Confirm>
      )}
      {asked?.what === "ungroup" && (
        <Confirm
          title="Delete group"
          onClose={close}
          onConfirm={async () => {
            const { error } = await client.mutation(DeleteGroupDocument, { id: asked.group.id }).toPromise();
            if (error) return fail(error);
            changed();
          }}
        >
          <p>
            The playlists of “<bdi>{asked.group.name}</bdi>” stay, without a group.
          </p>
        </Confirm>
      )}
    </Screen>
  );
}

type SectionProps = { title: string; visibility: Visibility; version: number; onAsk: (asked: Asked) => void; onChanged: () => void };

function Section({ title, visibility, version, onAsk, onChanged }: SectionProps) {
  const viewer = useViewer();
  const client = useClient();
  const heading = useId();
  const playlists = usePages(visibility, PlaylistRowsDocument, { visibility }, (data) => data.playlists);
  const groups = usePages(visibility, GroupRowsDocument, { visibility }, (data) => data.playlistGroups);
  const [readPlaylists, readGroups] = [playlists.reload, groups.reload];

  useEffect(() => {
    if (version === 0) return; // the first read is under way
    void readPlaylists();
    void readGroups();
  }, [version, readPlaylists, readGroups]);

  async function move(list: readonly PlaylistRowFragment[], item: PlaylistRowFragment, before: PlaylistRowFragment | null) {
    const position = placeBefore(list, item, before);
    const now = new Map(placed(list, item, position).map((playlist) => [playlist.id, playlist]));
    playlists.change((nodes) => nodes.map((node) => now.get(node.id) ?? node));
    const { error } = await client.mutation(ChangePlaylistDocument, { id: item.id, input: { position } }).toPromise();
    if (error) fail(error);
    onChanged();
  }

  async function moveGroup(group: Group, position: number) {
    const { error } = await client.mutation(ChangeGroupDocument, { id: group.id, input: { position } }).toPromise();
    if (error) fail(error);
    onChanged();
  }

  const parts = tree(groups.nodes, playlists.nodes);
  const nameOf = (playlist: PlaylistRowFragment) => playlist.name;

  return (
    <section aria-labelledby={heading} className={css["section"]}>
      <h2 id={heading}>{title}</h2>
      {playlists.loaded && !playlists.nodes.length && !groups.nodes.length && (
        <p className={css["quiet"]}>{visibility === "ORG" ? "None yet. A playlist shows several videos in an order, under one link." : "None yet. Only you see them here."}</p>
      )}
      {parts.map(({ group, playlists: list }) => (
        <div key={group?.id ?? ""} className={css["group"]}>
          {group && (
            <div className={css["groupHead"]}>
              {group.emoji ? <span aria-hidden="true">{group.emoji}</span> : <Icon name="folder" size={18} />}
              <h3>
                <bdi>{group.name}</bdi>
              </h3>
              {mayCreate(viewer) && (
                <Menu
                  label={`More for ${group.name}`}
                  icon="more"
                  compact
                  look="quiet"
                  items={() => [
                    { label: "Edit group", icon: "edit", onPick: () => onAsk({ what: "group", group }) },
                    ...(group.position > 0 ? [{ label: "Move up", icon: "sort", onPick: () => void moveGroup(group, group.position - 1) } as const] : []),
                    ...(group.position < groups.nodes.length - 1 ? [{ label: "Move down", icon: "sort", onPick: () => void moveGroup(group, group.position + 1) } as const] : []),
                    "line",
                    { label: "Delete group", icon: "trash", danger: true, onPick: () => onAsk({ what: "ungroup", group }) },
                  ]}
                />
              )}
            </div>
          )}
          <SortableList label={group ? `Playlists of ${group.name}` : title} items={list} nameOf={nameOf} movable={mayCreate(viewer) && list.length > 1} onMove={(item, before) => void move(list, item, before)}>
            {(playlist) => (
              <div className={css["row"]}>
                <Link href={`/playlists/${playlist.id}`} className={css["link"]}>
                  {playlist.emoji ? (
                    <span aria-hidden="true" className={css["emoji"]}>
                      {playlist.emoji}
                    </span>
                  ) : (
                    <Icon name="playlist" size={24} />
                  )}
                  <span>
                    <bdi>{playlist.name}</bdi>
                    <small>
                      {count(playlist.videoCount, "video")} · {scopeWords[playlist.linkScope]}
                    </small>
                  </span>
                </Link>
                {mayCreate(viewer) && (
                  <Menu
                    label={`More for ${playlist.name}`}
                    icon="more"
                    compact
                    look="quiet"
                    items={() => [
                      { label: "Share", icon: "link", onPick: () => onAsk({ what: "share", playlist, groups: groups.nodes }) },
                      { label: "Edit", icon: "edit", note: "Name, emoji, description, group", onPick: () => onAsk({ what: "edit", playlist, groups: groups.nodes }) },
                      "line",
                      { label: "Delete", icon: "trash", danger: true, onPick: () => onAsk({ what: "delete", playlist, groups: groups.nodes }) },
                    ]}
                  />
                )}
              </div>
            )}
          </SortableList>
        </div>
      ))}
      <More pages={playlists} />
    </section>
  );
}

const scopeWords = { PUBLIC: "anyone with the link", PRIVATE: "members only", PASSWORD: "with a password", EMBEDONLY: "embeds only" } as const;

function GroupForm({ group, onClose, onSaved }: { group?: Group; onClose: () => void; onSaved: () => void }) {
  const client = useClient();
  const form = useId();
  const [name, setName] = useState(group?.name ?? "");
  const [emoji, setEmoji] = useState(group?.emoji ?? "");
  const [visibility, setVisibility] = useState<Visibility>("ORG");
  const [problem, setProblem] = useState<{ field: string; rule: string } | null>(null);
  const [busy, setBusy] = useState(false);
  const title = group ? "Edit group" : "Create group";

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (!name.trim()) return setProblem({ field: "name", rule: "Enter a name." });
    setBusy(true);
    const { error } = group
      ? await client.mutation(ChangeGroupDocument, { id: group.id, input: { name, emoji: emoji.trim() || null } }).toPromise()
      : await client.mutation(MakeGroupDocument, { input: { name, visibility, ...(emoji.trim() && { emoji: emoji.trim() }) } }).toPromise();
    setBusy(false);
    if (error) setProblem(fieldOf(error) ?? { field: "name", rule: messageOf(error) });
    else onSaved();
  }

  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="strong" type="submit" form={form} busy={busy}>
            {group ? "Save" : title}
          </Button>
        </>
      }
    >
      <form id={form} noValidate className={css["form"]} onSubmit={(event) => void submit(event)}>
        <TextField label="Name" maxLength={255} value={name} onText={setName} problem={problem?.field === "name" ? problem.rule : null} />
        <TextField label="Emoji" hint="One, shown before the name. May be empty." autoComplete="off" value={emoji} onText={setEmoji} problem={problem?.field === "emoji" ? problem.rule : null} />
        {!group && (
          <Select
            label="Who sees it"
            value={visibility}
            options={[
              { value: "ORG", label: "Everybody in the workspace" },
              { value: "PERSONAL", label: "Only me" },
            ]}
            onPick={setVisibility}
          />
        )}
      </form>
    </Dialog>
  );
}
