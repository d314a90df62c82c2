import { Component, type ReactNode } from "react";

import { Button } from "../ui/Button";
import { Empty } from "../ui/Notes";
import { Upgraded } from "./upgrade";

/** Boundary shows a screen's fault in its place, so that the rest of the studio goes on. A new key tries again. */
export class Boundary extends Component<{ children: ReactNode }, { error: Error | null }> {
  override state = { error: null as Error | null };

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override render() {
    const { error } = this.state;
    if (!error) return this.props.children;

    const newer = error instanceof Upgraded;

    return (
      <Empty icon="alert" title={newer ? "Reelgraph was updated" : "This screen cannot be shown"} actions={<Button look="strong" onClick={() => location.reload()}>Reload</Button>}>
        {newer ? "Reload when your uploads are done. What you typed is kept." : "Check your connection, then reload. What you typed is kept."}
      </Empty>
    );
  }
}
