import { count } from "../text/format";
import { Button } from "../ui/Button";
import css from "./Library.module.css";

type Props = { selected: number; edits: boolean; onClear: () => void; onTags: () => void; onPlaylists: () => void; onDelete: () => void };

/** BulkBar has what can be done with all selected videos. */
export function BulkBar({ selected, edits, onClear, onTags, onPlaylists, onDelete }: Props) {
  return (
    <section aria-label="Selected videos" className={css["bulk"]} onKeyDown={(event) => event.key === "Escape" && onClear()}>
      <p role="status">{count(selected, "video")} selected</p>
      {edits && (
        <>
          <Button look="quiet" icon="tag" onClick={onTags}>
            Tag
          </Button>
          <Button look="quiet" icon="playlist" onClick={onPlaylists}>
            Add to playlist
          </Button>
          <Button look="quiet" icon="trash" onClick={onDelete}>
            Delete
          </Button>
        </>
      )}
      <Button look="quiet" icon="close" compact onClick={onClear}>
        Clear the selection
      </Button>
    </section>
  );
}
