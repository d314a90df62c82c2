import { useId, useState, type FormEvent } from "react";
import { useClient } from "urql";

import { save, type Known } from "../graph/conflict";
import { fieldOf, messageOf } from "../graph/errors";
import { useDraft } from "../text/draft";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { TextField } from "../ui/Field";
import { RenameVideoDocument, VideoNowDocument } from "./made/graphql";
import type { Video } from "../library/rows";

type Values = { name: string };

/** RenameDialog changes the name of a video. If somebody else renamed it meanwhile, it shows both names. */
export function RenameDialog({ video, onClose }: { video: Video; onClose: () => void }) {
  const client = useClient();
  const form = useId();
  const [base, setBase] = useState<Known<Values, number>>({ values: { name: video.name }, revision: video.revision });
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
    if (name === video.name) return close();

    setBusy(true);
    const outcome = await save({
      base,
      changed: { name },
      send: (changed, revision) => client.mutation(RenameVideoDocument, { id: video.id, name: changed.name!, revision }).toPromise(),
      read: async () => {
        const { data } = await client.query(VideoNowDocument, { id: video.id }, { requestPolicy: "network-only" }).toPromise();
        return data?.video ? { values: { name: data.video.name }, revision: data.video.revision } : null;
      },
    });
    setBusy(false);

    if ("data" in outcome) return close();
    if ("error" in outcome) return setProblem(fieldOf(outcome.error)?.rule ?? messageOf(outcome.error));
    setBase(outcome.theirs);
    setProblem(`Somebody else named it “${outcome.theirs.values.name}” meanwhile. Choose Rename again to use yours.`);
  }

  return (
    <Dialog
      title="Rename"
      onClose={close}
      actions={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button look="strong" type="submit" form={form} busy={busy}>
            Rename
          </Button>
        </>
      }
    >
      <form id={form} noValidate onSubmit={(event) => void submit(event)}>
        <TextField label="Name" maxLength={255} value={name} onText={setName} problem={problem} onFocus={(event) => event.target.select()} />
      </form>
    </Dialog>
  );
}
