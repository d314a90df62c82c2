import { useId, useState, type FormEvent } from "react";
import { useQuery } from "urql";

import { SwitchWorkspaceDocument } from "../app/made/graphql";
import { manages, useViewer } from "../app/viewer";
import { bytes } from "../text/format";
import { Button } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { TextField } from "../ui/Field";
import { ErrorNote, Loading } from "../ui/Notes";
import { Progress } from "../ui/Progress";
import { Badge, Part, Row, Rows } from "../ui/Rows";
import { toast } from "../ui/toast";
import { useSend } from "./form";
import { Frame } from "./Frame";
import { CreateWorkspaceDocument, UpdateWorkspaceDocument, WorkspaceSettingsDocument, type WorkspaceSettingsQuery } from "./made/graphql";
import { roleName } from "./roles";
import css from "./Settings.module.css";

type Now = WorkspaceSettingsQuery["workspace"];

/** Workspace shows the workspace's own settings, and the person's other workspaces. */
export function Workspace() {
  const viewer = useViewer();
  const [{ data, error }, again] = useQuery({ query: WorkspaceSettingsDocument });
  const { send, busy } = useSend();
  const [creating, create] = useState(false);

  async function switchTo(id: string) {
    if (await send(SwitchWorkspaceDocument, { id })) location.assign("/"); // nothing that is loaded belongs to the other workspace
  }

  return (
    <Frame
      part="workspace"
      actions={
        <Button icon="plus" onClick={() => create(true)}>
          Create workspace
        </Button>
      }
    >
      {data ? (
        <>
          <General workspace={data.workspace} />
          <Storage storage={data.workspace.storage} />
        </>
      ) : error ? (
        <ErrorNote error={error} onRetry={again} />
      ) : (
        <Loading />
      )}
      <Part title="Your workspaces" about="Nothing is shared between workspaces.">
        <Rows label="Your workspaces">
          {viewer.memberships.nodes.map(({ workspace, role }) => (
            <Row
              key={workspace.id}
              title={workspace.name}
              badge={workspace.id === viewer.workspace.id && <Badge tone="good">You are here</Badge>}
              about={roleName(role)}
              actions={
                workspace.id !== viewer.workspace.id && (
                  <Button busy={busy} onClick={() => void switchTo(workspace.id)}>
                    Switch
                  </Button>
                )
              }
            />
          ))}
        </Rows>
      </Part>
      {creating && <CreateDialog onClose={() => create(false)} onCreated={(id) => void switchTo(id)} />}
    </Frame>
  );
}

function General({ workspace }: { workspace: Now }) {
  const may = manages(useViewer());
  const { send, busy, problemOf, refuse } = useSend();
  const [typed, type] = useState<{ name?: string; speechLanguage?: string }>({});
  const now = { name: workspace.name, speechLanguage: workspace.speechLanguage, ...typed };

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (!now.name.trim()) return refuse("name", "Enter a name.");
    const input = { ...(now.name !== workspace.name && { name: now.name }), ...(now.speechLanguage !== workspace.speechLanguage && { speechLanguage: now.speechLanguage.trim() }) };
    if (Object.keys(input).length && !(await send(UpdateWorkspaceDocument, { input }, ["name", "speechLanguage"]))) return;
    type({});
    toast("Workspace saved");
  }

  return (
    <Part title="General" about={may ? undefined : "Owners and admins may change this."}>
      <form noValidate className={css["form"]} onSubmit={(event) => void submit(event)}>
        <TextField label="Name" readOnly={!may} maxLength={255} value={now.name} onText={(name) => type({ ...typed, name })} problem={problemOf("name")} />
        <TextField
          label="Speech language"
          hint="The language of its recordings, such as en or pt-BR. Leave it empty to detect the language of each recording."
          readOnly={!may}
          maxLength={35}
          autoComplete="off"
          value={now.speechLanguage}
          onText={(speechLanguage) => type({ ...typed, speechLanguage })}
          problem={problemOf("speechLanguage")}
        />
        {may && (
          <div className={css["end"]}>
            <Button look="strong" type="submit" busy={busy}>
              Save
            </Button>
          </div>
        )}
      </form>
    </Part>
  );
}

function Storage({ storage }: { storage: Now["storage"] }) {
  const { bytes: used, limitBytes, sourceBytes, exportBytes } = storage;
  return (
    <Part title="Storage" about={limitBytes ? `${bytes(used)} of ${bytes(limitBytes)} used` : `${bytes(used)} used, without a limit`}>
      {limitBytes ? <Progress label="Storage used" value={used / limitBytes} /> : null}
      <dl className={css["figures"]}>
        <div>
          <dt>Uploads</dt>
          <dd>{bytes(sourceBytes)}</dd>
        </div>
        <div>
          <dt>Exports</dt>
          <dd>{bytes(exportBytes)}</dd>
        </div>
      </dl>
    </Part>
  );
}

function CreateDialog({ onClose, onCreated }: { onClose: () => void; onCreated: (id: string) => void }) {
  const form = useId();
  const { send, busy, problemOf, refuse } = useSend();
  const [name, setName] = useState("");

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (!name.trim()) return refuse("name", "Enter a name.");
    const data = await send(CreateWorkspaceDocument, { input: { name } }, ["name"]);
    if (data) onCreated(data.createWorkspace.workspace.id);
  }

  return (
    <Dialog
      title="Create workspace"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="strong" type="submit" form={form} busy={busy}>
            Create workspace
          </Button>
        </>
      }
    >
      <form id={form} noValidate className={css["dialogForm"]} onSubmit={(event) => void submit(event)}>
        <TextField label="Name" hint="You own it, and go there at once." maxLength={255} value={name} onText={setName} problem={problemOf("name")} />
      </form>
    </Dialog>
  );
}
