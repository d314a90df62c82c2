import { useState } from "react";

import { useEvents } from "../graph/events";
import { usePages } from "../graph/pages";
import { moment } from "../text/format";
import { Button } from "../ui/Button";
import { Select } from "../ui/Field";
import { Icon } from "../ui/Icon";
import { More } from "../ui/More";
import { Badge } from "../ui/Rows";
import { toast } from "../ui/toast";
import { useSend } from "./form";
import { kindName } from "./kinds";
import { AttemptsDocument, NewAttemptsDocument, ResendDocument, type AttemptFragment, type EndpointFragment } from "./made/graphql";
import css from "./Settings.module.css";

const statuses = [
  { value: "ALL", label: "All attempts" },
  { value: "SUCCEEDED", label: "Succeeded" },
  { value: "FAILED", label: "Failed" },
] as const;

const errors: Record<NonNullable<AttemptFragment["error"]>, string> = {
  DNS: "The name was not found",
  CONNECT: "No connection",
  TLS: "The certificate was refused",
  TIMEOUT: "No answer in time",
  BLOCKED: "The address is not allowed",
  REDIRECT: "The answer was a redirect",
  STATUS: "The endpoint refused it",
};

/** Attempts are the deliveries to an endpoint, newest first. New ones appear as they are made. */
export function Attempts({ endpoint, onAttempt }: { endpoint: EndpointFragment; onAttempt: () => void }) {
  const { id, disabled } = endpoint;
  const [status, setStatus] = useState<(typeof statuses)[number]["value"]>("ALL");
  const attempts = usePages(`${id} ${status}`, AttemptsDocument, { id, ...(status !== "ALL" && { status }) }, (data) => data.webhookEndpoint?.attempts);

  useEvents(NewAttemptsDocument, { id }, ({ webhookAttempts: made }) => {
    if (status === "ALL" || made.status === status) attempts.change((nodes) => [made, ...nodes.filter((other) => other.id !== made.id)]);
    onAttempt();
  });

  if (attempts.loaded && !attempts.nodes.length && status === "ALL") return <p className={css["quiet"]}>Nothing was delivered in the last 30 days. Deliveries appear here as they are made.</p>;

  return (
    <div>
      <div className={css["choice"]}>
        <Select label="Show" bare value={status} options={statuses} onPick={setStatus} />
      </div>
      <ul aria-label="Attempts">
        {attempts.nodes.map((attempt) => (
          <Attempt key={attempt.id} attempt={attempt} resendable={!disabled} />
        ))}
      </ul>
      {attempts.loaded && !attempts.nodes.length && <p className={css["quiet"]}>None in the last 30 days.</p>}
      <More pages={attempts} />
    </div>
  );
}

function Attempt({ attempt, resendable }: { attempt: AttemptFragment; resendable: boolean }) {
  const { send, busy } = useSend();
  const failed = attempt.status === "FAILED";

  async function resend() {
    if (await send(ResendDocument, { id: attempt.messageId, endpointId: attempt.endpointId })) toast("Sent again");
  }

  return (
    <li className={css["attempt"]}>
      <details>
        <summary>
          <bdi>{kindName(attempt.message.eventType)}</bdi>
          <Badge tone={failed ? "bad" : "good"}>{attempt.responseStatus ?? errors[attempt.error!]}</Badge>
          <small>
            {moment(attempt.sentAt)} · {attempt.durationMs.toLocaleString("en")} ms{attempt.attempt > 1 && ` · attempt ${attempt.attempt}`}
          </small>
          <Icon name="chevron" size={16} />
        </summary>
        <div className={css["bodies"]}>
          {failed && (
            <p className={css["quiet"]}>
              {errors[attempt.error!]}. {attempt.nextAttemptAt ? `The next attempt is at ${moment(attempt.nextAttemptAt)}.` : "There will be no other attempt by itself."}
            </p>
          )}
          <p className={css["label"]}>Request</p>
          <pre tabIndex={0} aria-label="Request">{JSON.stringify(attempt.message.payload, null, 2)}</pre>
          <p className={css["label"]}>Answer</p>
          {attempt.responseStatus === null ? <p className={css["quiet"]}>There was none.</p> : <pre tabIndex={0} aria-label="Answer">{attempt.responseBody || "(empty)"}</pre>}
          <div className={css["end"]}>
            <Button busy={busy} disabled={!resendable} onClick={() => void resend()}>
              Resend
            </Button>
          </div>
        </div>
      </details>
    </li>
  );
}
