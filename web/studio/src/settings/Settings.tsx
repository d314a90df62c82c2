import { useEffect, type ComponentType } from "react";
import { useLocation, useParams } from "wouter";

import { ButtonLink } from "../ui/Button";
import { Empty } from "../ui/Notes";
import { Frame, type titles } from "./Frame";
import { Keys } from "./Keys";
import { Library } from "./Library";
import { Members } from "./Members";
import { Preferences } from "./Preferences";
import { Profile } from "./Profile";
import { System } from "./System";
import { Webhooks } from "./Webhooks";
import { Workspace } from "./Workspace";

const parts: Partial<Record<keyof typeof titles, ComponentType>> = { profile: Profile, preferences: Preferences, keys: Keys, webhooks: Webhooks, members: Members, workspace: Workspace, library: Library, system: System };

/** Settings shows the part of the settings that the address names. */
export default function Settings() {
  const { part } = useParams();
  const [, go] = useLocation();

  useEffect(() => {
    if (!part) go("/settings/profile", { replace: true });
  }, [part, go]);

  if (!part) return null;
  const Found = parts[part as keyof typeof parts];
  if (Found) return <Found />;

  return (
    <Frame part={null}>
      <Empty icon="search" title="There are no such settings" actions={<ButtonLink to="/settings/profile">Go to your profile</ButtonLink>} />
    </Frame>
  );
}
