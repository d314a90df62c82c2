import { useState, type ReactNode } from "react";
import { useQuery } from "urql";
import { Link, useLocation, useSearch } from "wouter";

import { classes } from "../ui/classes";
import { Icon, type IconName } from "../ui/Icon";
import { SidebarDocument, type SidebarQuery } from "./made/graphql";
import css from "./Sidebar.module.css";
import { tree } from "./tree";

/** Sidebar is the navigation "Library": the screens, and the playlists and tags that narrow the list of videos. */
export function Sidebar() {
  const [{ data }] = useQuery({ query: SidebarDocument });

  return (
    <nav aria-label="Library" className={css["nav"]}>
      <ul>
        <Row to="/" icon="library" exact>
          Videos
        </Row>
        <Row to="/playlists" icon="playlist">
          Playlists
        </Row>
        <Row to="/analytics" icon="analytics">
          Analytics
        </Row>
        <Row to="/activity" icon="activity">
          Activity
        </Row>
        <Row to="/?view=trash" icon="trash">
          Trash
        </Row>
        <Row to="/settings" icon="settings">
          Settings
        </Row>
      </ul>
      {data && <Playlists title="Workspace playlists" groups={data.orgGroups.nodes} playlists={data.org} />}
      {data && <Playlists title="My playlists" groups={data.personalGroups.nodes} playlists={data.personal} />}
      {data && data.tags.nodes.length > 0 && (
        <Section title="Tags">
          <ul>
            {data.tags.nodes.map((tag) => (
              <Row key={tag.id} to={`/?tag=${tag.id}`} dot={tag.color}>
                {tag.name}
              </Row>
            ))}
          </ul>
        </Section>
      )}
    </nav>
  );
}

function Section({ title, children }: { title: string; children: ReactNode }) {
  const [open, setOpen] = useState(() => localStorage.getItem(`folded:${title}`) === null);

  function fold(now: boolean) {
    setOpen(now);
    if (now) localStorage.removeItem(`folded:${title}`);
    else localStorage.setItem(`folded:${title}`, "");
  }

  return (
    <details className={css["section"]} open={open} onToggle={(event) => fold(event.currentTarget.open)}>
      <summary className={css["title"]}>
        {title}
        <Icon name="chevron" size={16} />
      </summary>
      {children}
    </details>
  );
}

type List = SidebarQuery["org"];

function Playlists({ title, groups, playlists }: { title: string; groups: SidebarQuery["orgGroups"]["nodes"]; playlists: List }) {
  if (!groups.length && !playlists.nodes.length) return null;

  return (
    <Section title={title}>
      <ul>
        {tree(groups, playlists.nodes).map(({ group, playlists }) => (
          <li key={group?.id ?? ""}>
            {group && (
              <p className={css["group"]}>
                {group.emoji ? <span aria-hidden="true">{group.emoji}</span> : <Icon name="folder" size={16} />}
                <bdi>{group.name}</bdi>
              </p>
            )}
            <ul className={group ? css["inner"] : undefined}>
              {playlists.map((playlist) => (
                <Row key={playlist.id} to={`/?playlist=${playlist.id}`} {...(playlist.emoji ? { emoji: playlist.emoji } : { icon: "playlist" })} note={playlist.videoCount}>
                  {playlist.name}
                </Row>
              ))}
            </ul>
          </li>
        ))}
        {playlists.pageInfo.hasNextPage && <Row to="/playlists">All playlists</Row>}
      </ul>
    </Section>
  );
}

type RowProps = { to: string; icon?: IconName; emoji?: string; dot?: string; note?: number; exact?: boolean; children: string };

function Row({ to, icon, emoji, dot, note, exact, children }: RowProps) {
  const [path] = useLocation();
  const search = useSearch();
  const [wanted, query = ""] = to.split("?");
  const here = query ? path === wanted && search.split("&").includes(query) : exact ? path === wanted && !/\b(tag|playlist|view)=/.test(search) : path === wanted || path.startsWith(`${wanted}/`);

  return (
    <li>
      <Link href={to} className={classes(css["row"], here && css["here"])} {...(here && { "aria-current": "page" })}>
        {icon && <Icon name={icon} size={18} />}
        {emoji && (
          <span className={css["emoji"]} aria-hidden="true">
            {emoji}
          </span>
        )}
        {dot && <i className={css["dot"]} style={{ background: dot }} />}
        <bdi className={css["name"]}>{children}</bdi>
        {note !== undefined && (
          <span className={css["note"]} aria-hidden="true">
            {note}
          </span>
        )}
      </Link>
    </li>
  );
}
