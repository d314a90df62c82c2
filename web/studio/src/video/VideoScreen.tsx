import { Screen } from "../app/Screen";
import { Empty } from "../ui/Notes";

/** VideoScreen is the page of one video. */
export default function VideoScreen() {
  return (
    <Screen title="Video">
      <Empty icon="film" title="This page is being built" />
    </Screen>
  );
}
