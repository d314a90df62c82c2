import { useState, type FormEvent } from "react";
import { useQuery } from "urql";

import { ago, moment } from "../text/format";
import { Button } from "../ui/Button";
import { TextField } from "../ui/Field";
import { More } from "../ui/More";
import { ErrorNote, Loading } from "../ui/Notes";
import { Badge, Part, Row, Rows } from "../ui/Rows";
import { toast } from "../ui/toast";
import { usePages } from "../graph/pages";
import { browserOf } from "./browser";
import { useSend } from "./form";
import { Frame } from "./Frame";
import { EndSessionDocument, ProfileDocument, SessionsDocument, SetPasswordDocument, UpdateUserDocument, type ProfileQuery } from "./made/graphql";
import css from "./Settings.module.css";

/** Profile shows a person's account: name, password and sessions. */
export function Profile() {
  const [{ data, error }, again] = useQuery({ query: ProfileDocument });

  return (
    <Frame part="profile">
      {data ? <Name user={data.viewer.user} /> : error ? <ErrorNote error={error} onRetry={again} /> : <Loading />}
      <Password />
      <Sessions />
    </Frame>
  );
}

function Name({ user }: { user: ProfileQuery["viewer"]["user"] }) {
  const { send, busy, problemOf, refuse } = useSend();
  const [typed, setTyped] = useState<string | null>(null);
  const name = typed ?? user.name;

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!name.trim()) return refuse("name", "Enter a name.");
    if (!(await send(UpdateUserDocument, { input: { name } }, ["name"]))) return;
    setTyped(null);
    toast("Name saved");
  }

  return (
    <Part title="Account">
      <form noValidate className={css["form"]} onSubmit={(event) => void submit(event)}>
        <TextField label="Name" hint="Others see it at your videos and comments." autoComplete="name" maxLength={255} value={name} onText={setTyped} problem={problemOf("name")} />
        <TextField label="E-mail" hint="You sign in with it." type="email" readOnly value={user.email} onText={() => undefined} />
        <div className={css["end"]}>
          <Button look="strong" type="submit" busy={busy}>
            Save
          </Button>
        </div>
      </form>
    </Part>
  );
}

function Password() {
  const { send, busy, problemOf, refuse } = useSend();
  const [currentPassword, setCurrent] = useState("");
  const [newPassword, setNew] = useState("");

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!currentPassword) return refuse("currentPassword", "Enter your current password.");
    if ([...newPassword].length < 8) return refuse("newPassword", "Use at least 8 characters.");
    if (!(await send(SetPasswordDocument, { input: { currentPassword, newPassword } }, ["currentPassword", "newPassword"]))) return;
    setCurrent("");
    setNew("");
    toast("Password changed. All other sessions were signed out.");
  }

  return (
    <Part title="Password" about="Changing it signs out all your other sessions.">
      <form noValidate className={css["form"]} onSubmit={(event) => void submit(event)}>
        <TextField label="Current password" type="password" autoComplete="current-password" maxLength={255} value={currentPassword} onText={setCurrent} problem={problemOf("currentPassword")} />
        <TextField label="New password" hint="At least 8 characters." type="password" autoComplete="new-password" maxLength={255} value={newPassword} onText={setNew} problem={problemOf("newPassword")} />
        <div className={css["end"]}>
          <Button type="submit" busy={busy}>
            Change password
          </Button>
        </div>
      </form>
    </Part>
  );
}

function Sessions() {
  const sessions = usePages("", SessionsDocument, {}, (data) => data.sessions);
  const { send, busy } = useSend();

  async function end(id: string) {
    if (!(await send(EndSessionDocument, { id }))) return;
    sessions.change((nodes) => nodes.filter((session) => session.id !== id));
    toast("The session was signed out");
  }

  return (
    <Part title="Sessions" about="The browsers in which you are signed in.">
      {sessions.nodes.length > 0 && (
        <Rows label="Sessions">
          {sessions.nodes.map((session) => (
            <Row
              key={session.id}
              title={browserOf(session.userAgent)}
              badge={session.current && <Badge tone="good">This browser</Badge>}
              about={`Last seen ${ago(session.lastSeenAt)} · signed in ${moment(session.createdAt)}`}
              actions={
                !session.current && (
                  <Button busy={busy} onClick={() => void end(session.id)}>
                    Sign out
                  </Button>
                )
              }
            />
          ))}
        </Rows>
      )}
      <More pages={sessions} />
    </Part>
  );
}
