import { useQuery } from "urql";

import { Select } from "../ui/Field";
import { ErrorNote, Loading } from "../ui/Notes";
import { Part } from "../ui/Rows";
import { toast } from "../ui/toast";
import { useSend } from "./form";
import { Frame } from "./Frame";
import { PreferencesDocument, UpdatePreferencesDocument, type UpdatePreferencesInput } from "./made/graphql";
import css from "./Settings.module.css";

const transitions = [
  { value: "SPRING", label: "Spring" },
  { value: "HARD_CUT", label: "Hard cut" },
] as const;

/** Preferences are a person's own defaults. A choice is saved at once. */
export function Preferences() {
  const [{ data, error }, again] = useQuery({ query: PreferencesDocument });
  const { send, busy } = useSend();
  const now = data?.viewer.preferences;

  async function change(input: UpdatePreferencesInput) {
    if (!(await send(UpdatePreferencesDocument, { input }))) return;
    again({ requestPolicy: "network-only" });
    toast("Preference saved");
  }

  return (
    <Frame part="preferences">
      <Part title="Layout transitions" about="How the picture changes at layouts that you add from now on. Layouts that exist stay as they are.">
        {now ? (
          <div className={css["form"]}>
            <Select label="When a layout starts" hint="Spring moves softly; a hard cut changes at once." value={now.layoutIntroTransition} options={transitions} disabled={busy} onPick={(layoutIntroTransition) => void change({ layoutIntroTransition })} />
            <Select label="When a layout ends" value={now.layoutOutroTransition} options={transitions} disabled={busy} onPick={(layoutOutroTransition) => void change({ layoutOutroTransition })} />
          </div>
        ) : error ? (
          <ErrorNote error={error} onRetry={again} />
        ) : (
          <Loading />
        )}
      </Part>
    </Frame>
  );
}
