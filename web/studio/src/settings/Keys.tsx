import { useId, useState, type FormEvent } from "react";

import { usePages } from "../graph/pages";
import { ago, date, moment } from "../text/format";
import { Button } from "../ui/Button";
import { Confirm } from "../ui/Confirm";
import { Dialog } from "../ui/Dialog";
import { Select, TextField } from "../ui/Field";
import { More } from "../ui/More";
import { Empty } from "../ui/Notes";
import { Badge, Row, Rows } from "../ui/Rows";
import { toast } from "../ui/toast";
import { useSend } from "./form";
import { Frame } from "./Frame";
import { CreateKeyDocument, KeysDocument, RevokeKeyDocument, type KeysQuery } from "./made/graphql";
import { Secret } from "./Secret";
import css from "./Settings.module.css";

type Key = KeysQuery["viewer"]["apiKeys"]["nodes"][number];

/** Keys are the person's API keys in this workspace. */
export function Keys() {
  const keys = usePages("", KeysDocument, {}, (data) => data.viewer.apiKeys);
  const { send } = useSend();
  const [creating, create] = useState(false);
  const [revoked, revoke] = useState<Key | null>(null);

  return (
    <Frame
      part="keys"
      about="Programs use a key to act as you in this workspace."
      actions={
        <Button look="strong" icon="plus" onClick={() => create(true)}>
          Create key
        </Button>
      }
    >
      <div>
        {keys.nodes.length > 0 && (
          <Rows label="API keys">
            {keys.nodes.map((key) => (
              <Row
                key={key.id}
                title={key.name}
                badge={expired(key) && <Badge tone="bad">Expired</Badge>}
                about={
                  <>
                    Ends in <code>{key.last4}</code> · created {date(key.createdAt)} · {key.lastUsedAt ? `last used ${ago(key.lastUsedAt)}` : "never used"} ·{" "}
                    {key.expiresAt ? `${expired(key) ? "expired" : "expires"} ${moment(key.expiresAt)}` : "does not expire"}
                  </>
                }
                actions={
                  <Button look="danger" onClick={() => revoke(key)}>
                    Revoke
                  </Button>
                }
              />
            ))}
          </Rows>
        )}
        {keys.loaded && !keys.nodes.length && (
          <Empty icon="lock" title="There are no keys yet">
            Create one for each program, so that you can revoke it alone. The <a href="/docs">API reference</a> shows how to use it.
          </Empty>
        )}
        <More pages={keys} />
      </div>
      {creating && <CreateDialog onClose={() => create(false)} onCreated={() => void keys.reload()} />}
      {revoked && (
        <Confirm
          title="Revoke"
          onClose={() => revoke(null)}
          onConfirm={async () => {
            if (!(await send(RevokeKeyDocument, { id: revoked.id }))) return;
            keys.change((nodes) => nodes.filter(({ id }) => id !== revoked.id));
            toast(`The key “${revoked.name}” was revoked`);
          }}
        >
          <p>
            Programs that use “<bdi>{revoked.name}</bdi>” are refused from then on. It cannot be brought back.
          </p>
        </Confirm>
      )}
    </Frame>
  );
}

const expired = (key: Key) => key.expiresAt && Date.parse(key.expiresAt) <= Date.now();

const lifetimes = [
  { value: "0", label: "Never" },
  { value: "7", label: "In 7 days" },
  { value: "30", label: "In 30 days" },
  { value: "90", label: "In 90 days" },
  { value: "365", label: "In a year" },
] as const;

function CreateDialog({ onClose, onCreated }: { onClose: () => void; onCreated: () => void }) {
  const form = useId();
  const { send, busy, problemOf, refuse } = useSend();
  const [name, setName] = useState("");
  const [days, setDays] = useState<(typeof lifetimes)[number]["value"]>("90");
  const [key, setKey] = useState("");

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (!name.trim()) return refuse("name", "Enter a name, such as that of the program.");
    const expiresAt = days === "0" ? null : new Date(Date.now() + Number(days) * 86_400_000).toISOString();
    const data = await send(CreateKeyDocument, { input: { name, ...(expiresAt && { expiresAt }) } }, ["name"]);
    if (!data) return;
    setKey(data.createApiKey.key);
    onCreated();
  }

  if (key) {
    return (
      <Dialog key="made" title="Your new key" closable={false} onClose={onClose} actions={<Button onClick={onClose}>Done</Button>}>
        <p>Copy it now. It is not shown again.</p>
        <Secret label="API key" copy="Copy key" said="Key copied" value={key} />
      </Dialog>
    );
  }

  return (
    <Dialog
      key="form"
      title="Create key"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="strong" type="submit" form={form} busy={busy}>
            Create key
          </Button>
        </>
      }
    >
      <form id={form} noValidate className={css["dialogForm"]} onSubmit={(event) => void submit(event)}>
        <TextField label="Name" hint="What the key is for." maxLength={255} value={name} onText={setName} problem={problemOf("name")} />
        <Select label="Expires" value={days} options={lifetimes} onPick={setDays} />
      </form>
    </Dialog>
  );
}
