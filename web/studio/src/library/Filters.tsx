import { lazy, Suspense, useState } from "react";
import { useQuery } from "urql";

import { SidebarDocument } from "../app/made/graphql";
import { loaded } from "../app/upgrade";
import { Button } from "../ui/Button";
import { Select } from "../ui/Field";
import { Icon } from "../ui/Icon";
import { scopeNames, sorts, spanNames, type Filter, type Sort } from "./filter";
import css from "./Library.module.css";
import { CreatorsDocument } from "./made/graphql";

type Props = { filter: Filter; onFilter: (filter: Filter) => void };

const FilterDialog = lazy(() => loaded(import("./FilterDialog")));

/** Filters names what the list is narrowed to, and changes it and the order. */
export function Filters({ filter, onFilter }: Props) {
  const [open, setOpen] = useState(false);
  const [{ data }] = useQuery({ query: SidebarDocument, requestPolicy: "cache-first" });
  const [{ data: people }] = useQuery({ query: CreatorsDocument, requestPolicy: "cache-first", pause: !filter.creatorId });
  const members = people?.workspace.members.nodes ?? [];

  const playlist = [...(data?.org.nodes ?? []), ...(data?.personal.nodes ?? [])].find((one) => one.id === filter.playlistId);
  const creator = members.find(({ user }) => user.id === filter.creatorId)?.user;
  const tags = data?.tags.nodes.filter((tag) => filter.tagIds.includes(tag.id)) ?? [];

  const chips: { id: string; text: string; color?: string; without: Filter }[] = [
    ...(playlist ? [{ id: playlist.id, text: `${playlist.emoji ? `${playlist.emoji} ` : ""}${playlist.name}`, without: { ...filter, playlistId: null } }] : []),
    ...tags.map(({ id, name, color }) => ({ id, text: name, color, without: { ...filter, tagIds: filter.tagIds.filter((one) => one !== id) } })),
    ...(creator ? [{ id: "creator", text: creator.name || creator.email, without: { ...filter, creatorId: null } }] : []),
    ...(filter.scope ? [{ id: "scope", text: scopeNames[filter.scope], without: { ...filter, scope: null } }] : []),
    ...(filter.days ? [{ id: "days", text: spanNames[filter.days], without: { ...filter, days: null } }] : []),
  ];

  return (
    <div className={css["filters"]}>
      <ul aria-label="Filters" className={css["chips"]} hidden={!chips.length}>
        {chips.map((chip) => (
          <li key={chip.id}>
            <button type="button" className={css["chip"]} aria-label={`Remove the filter ${chip.text}`} onClick={() => onFilter(chip.without)}>
              {chip.color && <i style={{ background: chip.color }} />}
              <bdi>{chip.text}</bdi>
              <Icon name="close" size={14} />
            </button>
          </li>
        ))}
      </ul>
      <div className={css["order"]}>
        <Button look="quiet" icon="filter" onClick={() => setOpen(true)}>
          Filter
        </Button>
        {!filter.text.trim() && (
          <Select<Sort>
            label="Sort by"
            bare
            value={filter.sort}
            onPick={(sort) => onFilter({ ...filter, sort })}
            options={Object.entries(sorts).map(([value, { label }]) => ({ value: value as Sort, label }))}
          />
        )}
      </div>
      {open && (
        <Suspense>
          <FilterDialog filter={filter} onFilter={onFilter} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </div>
  );
}
