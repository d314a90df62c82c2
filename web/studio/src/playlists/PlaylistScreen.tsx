import { Screen } from "../app/Screen";
import { Empty } from "../ui/Notes";

/** PlaylistScreen is the page of one playlist. */
export default function PlaylistScreen() {
  return (
    <Screen title="Playlist">
      <Empty icon="playlist" title="This page is being built" />
    </Screen>
  );
}
