import { Screen } from "../app/Screen";
import { Empty } from "../ui/Notes";

/** Settings shows the parts of the settings. */
export default function Settings() {
  return (
    <Screen title="Settings">
      <Empty icon="settings" title="This page is being built" />
    </Screen>
  );
}
