import { useState, type FormEvent } from "react";
import { useClient } from "urql";

import { fieldOf, messageOf } from "../graph/errors";
import { Button } from "../ui/Button";
import { Select, TextField } from "../ui/Field";
import { toast } from "../ui/toast";
import type { Video } from "./edit";
import { AddPersonDocument, RemovePersonDocument, UpdatePersonDocument, type CollaboratorRole } from "./made/graphql";
import css from "./Video.module.css";

const roles: readonly { value: CollaboratorRole; label: string }[] = [
  { value: "EDITOR", label: "Can edit" },
  { value: "VIEWER", label: "Can view" },
];

/** People are those who were given access to a video. */
export function People({ video, manages }: { video: Video; manages: boolean }) {
  const client = useClient();
  const people = video.collaborators.nodes;

  async function run(done: Promise<{ error?: Parameters<typeof messageOf>[0] | undefined }>, said: string) {
    const { error } = await done;
    if (error) toast(messageOf(error), { problem: true });
    else toast(said);
  }

  return (
    <section className={css["card"]} aria-labelledby="people">
      <h2 id="people">Collaborators</h2>
      <ul>
        <li className={css["person"]}>
          <div className={css["who"]}>
            <p>
              <bdi>{video.creator.name || video.creator.email}</bdi>
            </p>
            <p>{video.creator.email}</p>
          </div>
          <span className={css["quiet"]}>Creator</span>
        </li>
        {people.map(({ userId, role, user }) => (
          <li key={userId} className={css["person"]}>
            <div className={css["who"]}>
              <p>
                <bdi>{user.name || user.email}</bdi>
              </p>
              <p>{user.email}</p>
            </div>
            {manages ? (
              <>
                <Select
                  bare
                  label={`Role of ${user.name || user.email}`}
                  value={role}
                  options={roles}
                  onPick={(next) => void run(client.mutation(UpdatePersonDocument, { id: video.id, userId, role: next }).toPromise(), `${user.name || user.email}: ${roles.find(({ value }) => value === next)!.label.toLowerCase()}`)}
                />
                <Button icon="close" compact look="quiet" onClick={() => void run(client.mutation(RemovePersonDocument, { id: video.id, userId }).toPromise(), `${user.name || user.email} removed`)}>
                  Remove
                </Button>
              </>
            ) : (
              <span className={css["quiet"]}>{roles.find(({ value }) => value === role)!.label}</span>
            )}
          </li>
        ))}
      </ul>
      {manages && <AddPerson video={video} />}
      <p className={css["quiet"]}>{video.visibility === "ORG" ? "Everybody in the workspace can watch this video here." : "Besides the creator, only these people can watch this video here."}</p>
    </section>
  );
}

function AddPerson({ video }: { video: Video }) {
  const client = useClient();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<CollaboratorRole>("EDITOR");
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (!email.trim()) return setProblem("Enter an e-mail address.");
    setBusy(true);
    const { error } = await client.mutation(AddPersonDocument, { id: video.id, input: { email: email.trim(), role } }).toPromise();
    setBusy(false);
    if (error) return setProblem(fieldOf(error)?.rule ?? messageOf(error));
    setProblem("");
    setEmail("");
    toast(`${email.trim()} added`);
  }

  return (
    <form className={css["form"]} noValidate onSubmit={(event) => void submit(event)}>
      <TextField label="E-mail" type="email" autoComplete="off" placeholder="colleague@example.com" value={email} onText={setEmail} problem={problem} />
      <div className={css["row"]}>
        <div className={css["grow"]}>
          <Select bare label="Role" value={role} onPick={setRole} options={roles} />
        </div>
        <Button type="submit" busy={busy}>
          Add collaborator
        </Button>
      </div>
    </form>
  );
}
