import { Screen } from "../app/Screen";
import { Empty } from "../ui/Notes";

/** Activity lists new comments and first views. */
export default function Activity() {
  return (
    <Screen title="Activity">
      <Empty icon="activity" title="This page is being built" />
    </Screen>
  );
}
