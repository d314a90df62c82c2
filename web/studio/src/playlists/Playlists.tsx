import { Screen } from "../app/Screen";
import { Empty } from "../ui/Notes";

/** Playlists lists the playlists. */
export default function Playlists() {
  return (
    <Screen title="Playlists">
      <Empty icon="playlist" title="This page is being built" />
    </Screen>
  );
}
