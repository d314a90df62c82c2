import { useState, type FormEvent, type KeyboardEvent } from "react";
import { useClient } from "urql";

import { fieldOf, messageOf } from "../graph/errors";
import { useDraft } from "../text/draft";
import { Button } from "../ui/Button";
import { TextField } from "../ui/Field";
import { known, saveVideo, type Video } from "./edit";
import css from "./Video.module.css";

/** TitleForm stands in place of the heading while the video is renamed. */
export function TitleForm({ video, onClose }: { video: Video; onClose: () => void }) {
  const client = useClient();
  const [base, setBase] = useState(() => known(video));
  const [name, setName, done] = useDraft(`name:${video.id}`, video.name);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);

  function close() {
    done();
    onClose();
  }

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (!name.trim()) return setProblem("Enter a name.");
    if (name === base.values.name) return close();

    setBusy(true);
    const outcome = await saveVideo(client, video.id, base, { name });
    setBusy(false);
    if ("data" in outcome) return close();
    if ("error" in outcome) return setProblem(fieldOf(outcome.error)?.rule ?? messageOf(outcome.error));
    setBase(outcome.theirs);
    setProblem(`Somebody else named it “${outcome.theirs.values.name}” meanwhile. Save again to use “${name}”.`);
  }

  return (
    <form className={css["title"]} noValidate onSubmit={(event) => void submit(event)} onKeyDown={(event: KeyboardEvent) => event.key === "Escape" && close()}>
      <TextField bare label="Name" maxLength={255} autoFocus value={name} onText={setName} problem={problem} onFocus={(event) => event.target.select()} />
      <Button type="submit" look="strong" busy={busy}>
        Save
      </Button>
      <Button look="quiet" onClick={close}>
        Cancel
      </Button>
    </form>
  );
}
