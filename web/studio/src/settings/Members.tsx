import { useId, useState, type FormEvent } from "react";
import { useQuery } from "urql";

import { manages, useViewer } from "../app/viewer";
import { usePages } from "../graph/pages";
import { date, moment } from "../text/format";
import { Button } from "../ui/Button";
import { Confirm } from "../ui/Confirm";
import { Dialog } from "../ui/Dialog";
import { Select, TextField } from "../ui/Field";
import { More } from "../ui/More";
import { Badge, Part, Row, Rows } from "../ui/Rows";
import { toast } from "../ui/toast";
import { useSend } from "./form";
import { Frame } from "./Frame";
import {
  CreatePasswordResetDocument,
  InvitationsDocument,
  InviteDocument,
  IsOperatorDocument,
  MembersDocument,
  RemoveMemberDocument,
  RenewInvitationDocument,
  RevokeInvitationDocument,
  UpdateMemberDocument,
  type InvitedFragment,
  type MembersQuery,
  type Role,
} from "./made/graphql";
import { roleName, roles, rolesFor } from "./roles";
import { Secret } from "./Secret";
import css from "./Settings.module.css";

type Member = MembersQuery["workspace"]["members"]["nodes"][number];
type Shown = { title: string; text: string; url: string; until: string };

/** Members are the people of the workspace, and those who are invited. */
export function Members() {
  const viewer = useViewer();
  const may = manages(viewer);
  const members = usePages("", MembersDocument, {}, (data) => data.workspace.members);
  const { send, busy } = useSend();
  const [inviting, invite] = useState(false);
  const [invited, setInvited] = useState(0); // how often the list of invitations is to be read again
  const [removed, remove] = useState<Member | null>(null);
  const [reset, askReset] = useState<Member | null>(null);
  const [shown, show] = useState<Shown | null>(null);
  const [{ data: operator }] = useQuery({ query: IsOperatorDocument, pause: viewer.role !== "OWNER" });

  function onInvited(invitation: InvitedFragment) {
    invite(false);
    setInvited((now) => now + 1);
    if (invitation.url) show({ title: "Invitation", text: `This server sends no mail. Pass this link on to ${invitation.email}. It is not shown again.`, url: invitation.url, until: invitation.expiresAt });
    else toast(`The invitation was sent to ${invitation.email}`);
  }

  async function changeRole({ user }: Member, role: Role) {
    if (!(await send(UpdateMemberDocument, { userId: user.id, input: { role } }))) return;
    members.change((nodes) => nodes.map((node) => (node.user.id === user.id ? { ...node, role } : node)));
    toast(`${user.name || user.email} is now ${roleName(role).toLowerCase()}`);
  }

  return (
    <Frame
      part="members"
      about={may ? "People who see this workspace." : "People who see this workspace. Owners and admins invite others."}
      actions={
        may && (
          <Button look="strong" icon="plus" onClick={() => invite(true)}>
            Invite
          </Button>
        )
      }
    >
      {may && <Invitations key={invited} onRenewed={onInvited} />}
      <Part title="Members">
        {members.nodes.length > 0 && (
          <Rows label="Members">
            {members.nodes.map((member) => {
              const self = member.user.id === viewer.user.id;
              const changes = may && (member.role !== "OWNER" || viewer.role === "OWNER");
              return (
                <Row
                  key={member.id}
                  title={member.user.name || member.user.email}
                  badge={self && <Badge tone="good">You</Badge>}
                  about={`${member.user.email} · since ${date(member.createdAt)}`}
                  actions={
                    <>
                      {changes ? (
                        <Select label={`Role of ${member.user.name || member.user.email}`} bare value={member.role} options={rolesFor(viewer.role)} disabled={busy} onPick={(role) => void changeRole(member, role)} />
                      ) : (
                        <Badge>{roleName(member.role)}</Badge>
                      )}
                      {operator && !self && <Button onClick={() => askReset(member)}>Reset password</Button>}
                      {(self || changes) && (
                        <Button look="danger" onClick={() => remove(member)}>
                          {self ? "Leave" : "Remove"}
                        </Button>
                      )}
                    </>
                  }
                />
              );
            })}
          </Rows>
        )}
        <More pages={members} />
      </Part>

      {inviting && <InviteDialog onClose={() => invite(false)} onInvited={onInvited} />}
      {removed && (
        <Confirm
          title={removed.user.id === viewer.user.id ? "Leave" : "Remove"}
          onClose={() => remove(null)}
          onConfirm={async () => {
            if (!(await send(RemoveMemberDocument, { userId: removed.user.id }))) return;
            if (removed.user.id === viewer.user.id) return location.assign("/");
            members.change((nodes) => nodes.filter(({ id }) => id !== removed.id));
            toast(`${removed.user.name || removed.user.email} was removed`);
          }}
        >
          <p>
            {removed.user.id === viewer.user.id ? "You lose" : <><bdi>{removed.user.name || removed.user.email}</bdi> loses</>} access to “<bdi>{viewer.workspace.name}</bdi>” at once, with all keys and sessions in it. Videos stay.
          </p>
        </Confirm>
      )}
      {reset && (
        <Confirm
          title="Reset password"
          onClose={() => askReset(null)}
          onConfirm={async () => {
            const data = await send(CreatePasswordResetDocument, { input: { email: reset.user.email } });
            if (data) show({ title: "Password reset", text: `Pass this link on to ${reset.user.email}, who chooses a new password with it. It is not shown again.`, url: data.createPasswordReset.url, until: data.createPasswordReset.expiresAt });
          }}
        >
          <p>
            You get a link to pass on to <bdi>{reset.user.email}</bdi>. Whoever has it can take over the account, so send it in a way that only they can read.
          </p>
        </Confirm>
      )}
      {shown && (
        <Dialog title={shown.title} onClose={() => show(null)} actions={<Button onClick={() => show(null)}>Done</Button>}>
          <p>{shown.text}</p>
          <Secret label="Link" copy="Copy link" said="Link copied" value={shown.url} />
          <p className={css["quiet"]}>It works once, until {moment(shown.until)}.</p>
        </Dialog>
      )}
    </Frame>
  );
}

function Invitations({ onRenewed }: { onRenewed: (invitation: InvitedFragment) => void }) {
  const { role } = useViewer();
  const invitations = usePages("", InvitationsDocument, {}, (data) => data.invitations);
  const { send, busy } = useSend();
  const [asked, ask] = useState<InvitedFragment | null>(null);

  async function renew({ id }: InvitedFragment) {
    const data = await send(RenewInvitationDocument, { id });
    if (data) onRenewed(data.renewInvitation.invitation);
  }

  if (!invitations.error && !invitations.nodes.length) return null;
  return (
    <Part title="Pending invitations">
      <Rows label="Pending invitations">
        {invitations.nodes.map((invitation) => {
          const past = Date.parse(invitation.expiresAt) <= Date.now();
          return (
            <Row
              key={invitation.id}
              title={invitation.email}
              badge={past ? <Badge tone="bad">Expired</Badge> : <Badge>{roleName(invitation.role)}</Badge>}
              about={`${invitation.inviter ? `Invited by ${invitation.inviter.name || "a member"}` : "Was a member before"} · ${past ? "expired" : "expires"} ${moment(invitation.expiresAt)}`}
              actions={
                (invitation.role !== "OWNER" || role === "OWNER") && (
                  <>
                    <Button busy={busy} onClick={() => void renew(invitation)}>
                      Renew
                    </Button>
                    <Button look="danger" onClick={() => ask(invitation)}>
                      Revoke
                    </Button>
                  </>
                )
              }
            />
          );
        })}
      </Rows>
      <More pages={invitations} />
      {asked && (
        <Confirm
          title="Revoke"
          onClose={() => ask(null)}
          onConfirm={async () => {
            if (!(await send(RevokeInvitationDocument, { id: asked.id }))) return;
            invitations.change((nodes) => nodes.filter(({ id }) => id !== asked.id));
            toast(`The invitation of ${asked.email} was revoked`);
          }}
        >
          <p>
            The link that <bdi>{asked.email}</bdi> has stops working.
          </p>
        </Confirm>
      )}
    </Part>
  );
}

function InviteDialog({ onClose, onInvited }: { onClose: () => void; onInvited: (invitation: InvitedFragment) => void }) {
  const form = useId();
  const viewer = useViewer();
  const { send, busy, problemOf, refuse } = useSend();
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("MEMBER");

  async function submit(event: FormEvent) {
    event.preventDefault();
    if (busy) return;
    if (!email.includes("@")) return refuse("email", "Enter an e-mail address.");
    const data = await send(InviteDocument, { input: { email: email.trim(), role } }, ["email"]);
    if (data) onInvited(data.inviteMember.invitation);
  }

  return (
    <Dialog
      title="Invite"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="strong" type="submit" form={form} busy={busy}>
            Send invitation
          </Button>
        </>
      }
    >
      <form id={form} noValidate className={css["dialogForm"]} onSubmit={(event) => void submit(event)}>
        <TextField label="E-mail" type="email" autoComplete="off" maxLength={255} value={email} onText={setEmail} problem={problemOf("email")} />
        <Select label="Role" value={role} options={rolesFor(viewer.role)} onPick={setRole} hint={roles.find(({ value }) => value === role)!.about} />
      </form>
    </Dialog>
  );
}
