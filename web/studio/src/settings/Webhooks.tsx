import { useId, useState, type FormEvent } from "react";
import { useClient } from "urql";

import { messageOf } from "../graph/errors";
import { usePages } from "../graph/pages";
import { ago, count } from "../text/format";
import { Button } from "../ui/Button";
import { Confirm } from "../ui/Confirm";
import { Dialog } from "../ui/Dialog";
import { Checkbox } from "../ui/Checkbox";
import { Select, TextField } from "../ui/Field";
import { More } from "../ui/More";
import { Empty } from "../ui/Notes";
import { Badge, Row, Rows } from "../ui/Rows";
import { toast } from "../ui/toast";
import { Attempts } from "./Attempts";
import { useSend } from "./form";
import { Frame } from "./Frame";
import { kindName, kinds } from "./kinds";
import { CreateEndpointDocument, DeleteEndpointDocument, EndpointNowDocument, EndpointsDocument, RotateSecretDocument, SecretDocument, TestEndpointDocument, UpdateEndpointDocument, type EndpointFragment, type EventType } from "./made/graphql";
import { Secret } from "./Secret";
import css from "./Settings.module.css";

type Asked = { endpoint: EndpointFragment; what: "edit" | "test" | "delete" | "rotate" };

/** Webhooks are the person's endpoints in this workspace, each with its deliveries. */
export function Webhooks() {
  const client = useClient();
  const endpoints = usePages("", EndpointsDocument, {}, (data) => data.webhookEndpoints);
  const { send, busy } = useSend();
  const [adding, add] = useState(false);
  const [asked, ask] = useState<Asked | null>(null);
  const [secret, show] = useState("");

  const replace = (endpoint: EndpointFragment) => endpoints.change((nodes) => nodes.map((node) => (node.id === endpoint.id ? endpoint : node)));

  async function reveal({ id }: EndpointFragment) {
    const { data, error } = await client.query(SecretDocument, { id }, { requestPolicy: "network-only" }).toPromise();
    if (error) toast(messageOf(error), { problem: true });
    else show(data!.webhookSecret);
  }

  async function enable({ id }: EndpointFragment, disabled: boolean) {
    const data = await send(UpdateEndpointDocument, { id, input: { disabled } });
    if (data) replace(data.updateWebhookEndpoint.endpoint);
  }

  async function readAgain(id: string) {
    const { data } = await client.query(EndpointNowDocument, { id }, { requestPolicy: "network-only" }).toPromise();
    if (data?.webhookEndpoint) replace(data.webhookEndpoint);
  }

  return (
    <Frame
      part="webhooks"
      about="Your server is called when something happens in this workspace."
      actions={
        <Button look="strong" icon="plus" onClick={() => add(true)}>
          Add endpoint
        </Button>
      }
    >
      <div>
        {endpoints.nodes.length > 0 && (
          <Rows label="Endpoints">
            {endpoints.nodes.map((endpoint) => (
              <Row
                key={endpoint.id}
                title={endpoint.url}
                badge={<State endpoint={endpoint} />}
                about={`${endpoint.filterTypes ? endpoint.filterTypes.map(kindName).join(", ") : "Every kind of event"}. ${healthOf(endpoint)}`}
                actions={
                  <>
                    <Button onClick={() => ask({ endpoint, what: "edit" })}>Change</Button>
                    <Button onClick={() => void reveal(endpoint)}>Reveal secret</Button>
                    <Button onClick={() => ask({ endpoint, what: "rotate" })}>Rotate</Button>
                    <Button disabled={endpoint.disabled} onClick={() => ask({ endpoint, what: "test" })}>
                      Send test
                    </Button>
                    <Button busy={busy} onClick={() => void enable(endpoint, !endpoint.disabled)}>
                      {endpoint.disabled ? "Enable" : "Disable"}
                    </Button>
                    <Button look="danger" onClick={() => ask({ endpoint, what: "delete" })}>
                      Delete
                    </Button>
                  </>
                }
              >
                {endpoint.disabled && endpoint.disabledReason && <p className={css["quiet"]}>Disabled: {endpoint.disabledReason}</p>}
                <Attempts endpoint={endpoint} onAttempt={() => void readAgain(endpoint.id)} />
              </Row>
            ))}
          </Rows>
        )}
        {endpoints.loaded && !endpoints.nodes.length && (
          <Empty icon="globe" title="There are no endpoints yet">
            Add the address of a server of yours, and choose the events that it is told of.
          </Empty>
        )}
        <More pages={endpoints} />
      </div>

      {adding && (
        <EndpointDialog
          title="Add endpoint"
          onClose={() => add(false)}
          onSaved={(made) => {
            add(false);
            if (made) show(made);
            void endpoints.reload();
          }}
        />
      )}
      {asked?.what === "edit" && (
        <EndpointDialog
          title="Change"
          endpoint={asked.endpoint}
          onClose={() => ask(null)}
          onSaved={() => {
            ask(null);
            void endpoints.reload();
          }}
        />
      )}
      {asked?.what === "test" && <TestDialog endpoint={asked.endpoint} onClose={() => ask(null)} />}
      {asked?.what === "rotate" && (
        <Confirm
          title="Rotate"
          onClose={() => ask(null)}
          onConfirm={async () => {
            const data = await send(RotateSecretDocument, { id: asked.endpoint.id });
            if (data) show(data.rotateWebhookSecret.secret);
          }}
        >
          <p>The endpoint gets a new secret. The present one also signs for 24 more hours, so that you have time to change it.</p>
        </Confirm>
      )}
      {asked?.what === "delete" && (
        <Confirm
          title="Delete"
          onClose={() => ask(null)}
          onConfirm={async () => {
            if (!(await send(DeleteEndpointDocument, { id: asked.endpoint.id }))) return;
            endpoints.change((nodes) => nodes.filter(({ id }) => id !== asked.endpoint.id));
            toast("The endpoint was deleted");
          }}
        >
          <p>
            <bdi>{asked.endpoint.url}</bdi> is not called any more, and deliveries that wait are cancelled.
          </p>
        </Confirm>
      )}
      {secret && (
        <Dialog title="Signing secret" onClose={() => show("")} actions={<Button onClick={() => show("")}>Done</Button>}>
          <p>Your server checks the signature of each delivery with it. Keep it like a password.</p>
          <Secret label="Signing secret" copy="Copy secret" said="Secret copied" value={secret} />
        </Dialog>
      )}
    </Frame>
  );
}

function State({ endpoint: { disabled, health } }: { endpoint: EndpointFragment }) {
  if (disabled) return <Badge tone="bad">Disabled</Badge>;
  if (health.consecutiveFailures) return <Badge tone="bad">{count(health.consecutiveFailures, "failure")} in a row</Badge>;
  return health.lastSuccessAt ? <Badge tone="good">Working</Badge> : <Badge>Not called yet</Badge>;
}

function healthOf({ health }: EndpointFragment): string {
  const parts = [
    health.lastSuccessAt ? `Last success ${ago(health.lastSuccessAt)}` : health.lastAttemptAt ? "No success in 30 days" : "",
    health.pendingDeliveries ? `${count(health.pendingDeliveries, "delivery", "deliveries")} waiting` : "",
  ];
  const said = parts.filter(Boolean).join(", ");
  return said && `${said}.`;
}

function EndpointDialog({ title, endpoint, onClose, onSaved }: { title: string; endpoint?: EndpointFragment; onClose: () => void; onSaved: (secret: string) => void }) {
  const form = useId();
  const { send, busy, problemOf, refuse } = useSend();
  const [url, setURL] = useState(endpoint?.url ?? "");
  const [chosen, choose] = useState<ReadonlySet<EventType>>(new Set(endpoint ? (endpoint.filterTypes ?? kinds.map(({ type }) => type)) : []));

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (!/^https?:\/\/./i.test(url.trim())) return refuse("url", "Enter an address that begins with https:// or http://.");
    if (!chosen.size) return refuse("filterTypes", "Choose at least one kind of event.");

    const filterTypes = kinds.map(({ type }) => type).filter((type) => chosen.has(type));
    const fields = ["url", "filterTypes"];
    if (!endpoint) {
      const data = await send(CreateEndpointDocument, { input: { url: url.trim(), filterTypes } }, fields);
      if (data) onSaved(data.createWebhookEndpoint.secret);
      return;
    }
    const everything = endpoint.filterTypes === null && filterTypes.length === kinds.length; // kinds that come later too
    if (await send(UpdateEndpointDocument, { id: endpoint.id, input: { url: url.trim(), ...(!everything && { filterTypes }) } }, fields)) onSaved("");
  }

  const problem = problemOf("filterTypes");
  return (
    <Dialog
      title={title}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="strong" type="submit" form={form} busy={busy}>
            Save
          </Button>
        </>
      }
    >
      <form id={form} noValidate className={css["dialogForm"]} onSubmit={(event) => void submit(event)}>
        <TextField label="URL" type="url" inputMode="url" autoComplete="off" placeholder="https://example.com/hooks" maxLength={2048} value={url} onText={setURL} problem={problemOf("url")} />
        <fieldset className={css["kinds"]} aria-describedby={problem ? `${form}-kinds` : undefined}>
          <legend>Events</legend>
          {kinds.map(({ type, name }) => (
            <Checkbox
              key={type}
              label={name}
              checked={chosen.has(type)}
              onCheck={(now) => choose((set) => new Set(now ? [...set, type] : [...set].filter((other) => other !== type)))}
            />
          ))}
        </fieldset>
        {problem && (
          <p id={`${form}-kinds`} role="alert" className={css["problem"]}>
            {problem}
          </p>
        )}
      </form>
    </Dialog>
  );
}

function TestDialog({ endpoint, onClose }: { endpoint: EndpointFragment; onClose: () => void }) {
  const { send, busy } = useSend();
  const types = kinds.filter(({ type }) => !endpoint.filterTypes || endpoint.filterTypes.includes(type));
  const [type, setType] = useState<EventType>(types[0]!.type);

  async function run() {
    if (!(await send(TestEndpointDocument, { id: endpoint.id, input: { type } }))) return;
    onClose();
    toast("The test was sent. Its answer appears below the endpoint.");
  }

  return (
    <Dialog
      title="Send test"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="strong" busy={busy} onClick={() => void run()}>
            Send test
          </Button>
        </>
      }
    >
      <p>A sample event is really delivered.</p>
      <Select label="Event" value={type} options={types.map(({ type, name }) => ({ value: type, label: name }))} onPick={setType} />
    </Dialog>
  );
}
