import { Screen } from "../app/Screen";
import { Empty } from "../ui/Notes";

/** Analytics shows the figures of the workspace. */
export default function Analytics() {
  return (
    <Screen title="Analytics">
      <Empty icon="analytics" title="This page is being built" />
    </Screen>
  );
}
