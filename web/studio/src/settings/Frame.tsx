import type { ReactNode } from "react";
import { Link } from "wouter";

import { Screen } from "../app/Screen";
import css from "./Settings.module.css";

/** The parts of the settings: the last segment of their addresses, and their titles. */
export const titles = {
  profile: "Profile",
  preferences: "Preferences",
  keys: "API keys",
  webhooks: "Webhooks",
  members: "Members",
  workspace: "Workspace",
  library: "Media library",
  system: "System",
} as const;

type Props = { part: keyof typeof titles | null; about?: ReactNode; actions?: ReactNode; children: ReactNode };

/** Frame is the screen of a part, with the navigation between the parts. */
export function Frame({ part, about, actions, children }: Props) {
  return (
    <Screen title={part ? titles[part] : "Nothing here"} about={about} actions={actions} width="settings">
      <div className={css["layout"]}>
        <nav aria-label="Settings" className={css["nav"]}>
          <ul>
            {Object.entries(titles).map(([path, title]) => (
              <li key={path}>
                <Link href={`/settings/${path}`} {...(path === part && { "aria-current": "page" })}>
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
        <div className={css["content"]}>{children}</div>
      </div>
    </Screen>
  );
}
