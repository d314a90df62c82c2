import { client } from "../graph/client";
import { messageOf } from "../graph/errors";
import { Away } from "../ui/Away";
import { Icon } from "../ui/Icon";
import { Menu, type Item } from "../ui/Menu";
import { toast } from "../ui/toast";
import css from "./Shell.module.css";
import { SignOutDocument, SwitchWorkspaceDocument } from "./made/graphql";
import { useViewer, type Viewer } from "./viewer";

/** Account is the menu of the person and their workspaces. */
export function Account() {
  const viewer = useViewer();

  return (
    <Menu
      label="Account"
      className={css["account"]}
      items={() => itemsFor(viewer)}
      face={
        <>
          <span className={css["face"]} aria-hidden="true">{initial(viewer.user.name || viewer.user.email)}</span>
          <Away>Account: </Away>
          <span className={css["who"]}>
            <bdi>{viewer.workspace.name}</bdi>
            <small>
              <bdi>{viewer.user.name || viewer.user.email}</bdi>
            </small>
          </span>
          <Icon name="chevron" size={16} />
        </>
      }
    />
  );
}

const initial = (name: string) => [...name.trim()][0]?.toUpperCase() ?? "?";

function itemsFor({ memberships, workspace }: Viewer): Item[] {
  const several = memberships.nodes.length > 1;
  return [
    ...(several
      ? memberships.nodes.map((one): Item => ({ label: one.workspace.name, checked: one.workspace.id === workspace.id, onPick: () => void switchTo(one.workspace.id, workspace.id) }))
      : []),
    ...(several ? (["line"] as const) : []),
    { label: "Your profile", icon: "user", to: "/settings/profile" },
    { label: "Workspace settings", icon: "settings", to: "/settings/workspace" },
    { label: "API reference", icon: "link", onPick: () => location.assign("/docs") },
    "line",
    { label: "Sign out", icon: "undo", onPick: () => void signOut() },
  ];
}

async function switchTo(id: string, now: string) {
  if (id === now) return;
  const { error } = await client.mutation(SwitchWorkspaceDocument, { id }).toPromise();
  if (error) toast(messageOf(error), { problem: true });
  else location.assign("/"); // nothing that is loaded belongs to the other workspace
}

async function signOut() {
  const { error } = await client.mutation(SignOutDocument, {}).toPromise();
  if (error) toast(messageOf(error), { problem: true });
  else location.assign("/sign-in");
}
