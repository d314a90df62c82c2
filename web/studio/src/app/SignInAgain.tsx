import { useState, useSyncExternalStore, type FormEvent } from "react";

import { client, reconnect } from "../graph/client";
import { codeOf, messageOf } from "../graph/errors";
import { signsIn } from "../graph/exchanges";
import { session } from "../graph/session";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { TextField } from "../ui/Field";
import css from "./Shell.module.css";
import { SignInDocument, WhoAmIDocument } from "./made/graphql";
import type { Viewer } from "./viewer";

/**
 * SignInAgain asks for the password when the session has ended. What was on the screen stays there, and what was being
 * sent is sent afterwards. Before anything was on the screen it goes to the page for signing in.
 */
export function SignInAgain({ viewer }: { viewer: Viewer | null }) {
  const ended = useSyncExternalStore(session.subscribe, session.isEnded);
  if (!ended) return null;
  if (viewer) return <Form viewer={viewer} />;

  leave();
  return null;
}

const leave = () => location.replace(`/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`);

function Form({ viewer }: { viewer: Viewer }) {
  const [password, setPassword] = useState("");
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    setBusy(true);
    setProblem("");

    const input = { email: viewer.user.email, password, workspaceId: viewer.workspace.id };
    const { error } = await client.mutation(SignInDocument, { input }, signsIn).toPromise();
    if (error) {
      setProblem(codeOf(error) === "unauthorized" ? "The password is wrong." : messageOf(error));
      setBusy(false);
      return;
    }

    const now = await client.query(WhoAmIDocument, {}, { requestPolicy: "network-only", ...signsIn }).toPromise();
    if (now.data?.viewer.workspace.id !== viewer.workspace.id) location.assign("/"); // they left the workspace meanwhile
    reconnect();
    session.resume();
  }

  return (
    <Dialog title="Sign in again" onClose={() => undefined} closable={false}>
      <p>Your session has ended. Sign in to go on where you were.</p>
      <form onSubmit={(event) => void submit(event)} className={css["form"]}>
        <TextField label="E-mail" type="email" autoComplete="username" readOnly value={viewer.user.email} onText={() => undefined} />
        <TextField label="Password" type="password" autoComplete="current-password" required maxLength={255} data-first value={password} onText={setPassword} problem={problem} />
        <div className={css["formActions"]}>
          <Button look="quiet" onClick={leave}>
            Sign in as somebody else
          </Button>
          <Button look="strong" type="submit" busy={busy}>
            Sign in
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
