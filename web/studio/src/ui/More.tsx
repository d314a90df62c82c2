import type { CombinedError } from "urql";

import { Button } from "./Button";
import { ErrorNote, Loading } from "./Notes";
import css from "./Rows.module.css";

type Props = { pages: { loaded: boolean; error: CombinedError | null; hasMore: boolean; more: () => void; reload: () => Promise<void> } };

/** More stands at the end of a list of pages: the button for the next one, or what went wrong. */
export function More({ pages }: Props) {
  if (pages.error) return <ErrorNote error={pages.error} onRetry={() => void pages.reload()} />;
  if (!pages.loaded) return <Loading />;
  if (!pages.hasMore) return null;

  return (
    <div className={css["more"]}>
      <Button onClick={pages.more}>Show more</Button>
    </div>
  );
}
