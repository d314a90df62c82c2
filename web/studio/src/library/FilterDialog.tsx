import { useQuery } from "urql";

import { SidebarDocument } from "../app/made/graphql";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Select } from "../ui/Field";
import { TagBox } from "../ui/TagBox";
import { everything, scopeNames, scopes, spanNames, spans, type Filter } from "./filter";
import { CreatorsDocument } from "./made/graphql";

type Props = { filter: Filter; onFilter: (filter: Filter) => void; onClose: () => void };

/** FilterDialog changes what the list is narrowed to. The list behind it follows at once. */
export default function FilterDialog({ filter, onFilter, onClose }: Props) {
  const [{ data }] = useQuery({ query: SidebarDocument, requestPolicy: "cache-first" });
  const [{ data: people }] = useQuery({ query: CreatorsDocument, requestPolicy: "cache-first" });
  const members = people?.workspace.members.nodes ?? [];
  const tags = data?.tags.nodes.filter((tag) => filter.tagIds.includes(tag.id)) ?? [];

  return (
    <Dialog
      title="Filter"
      light
      onClose={onClose}
      actions={
        <>
          <Button onClick={() => onFilter({ ...everything, text: filter.text, sort: filter.sort })}>Clear filters</Button>
          <Button look="strong" onClick={onClose}>
            Done
          </Button>
        </>
      }
    >
      <TagBox
        label="Tags"
        placeholder="Any"
        choices={data?.tags.nodes ?? []}
        picked={tags}
        onAdd={({ id }) => onFilter({ ...filter, tagIds: [...filter.tagIds, id] })}
        onRemove={({ id }) => onFilter({ ...filter, tagIds: filter.tagIds.filter((one) => one !== id) })}
      />
      <Select
        label="Made by"
        value={filter.creatorId ?? ""}
        onPick={(id) => onFilter({ ...filter, creatorId: id || null })}
        options={[{ value: "", label: "Anyone" }, ...members.map(({ user }) => ({ value: user.id, label: user.name || user.email }))]}
      />
      <Select
        label="Who can watch"
        value={filter.scope ?? ""}
        onPick={(scope) => onFilter({ ...filter, scope: scope || null })}
        options={[{ value: "" as const, label: "Any" }, ...scopes.map((value) => ({ value, label: scopeNames[value] }))]}
      />
      <Select
        label="Made in"
        value={filter.days ?? ""}
        onPick={(days) => onFilter({ ...filter, days: days || null })}
        options={[{ value: "" as const, label: "Any time" }, ...spans.map((value) => ({ value, label: spanNames[value] }))]}
      />
    </Dialog>
  );
}
