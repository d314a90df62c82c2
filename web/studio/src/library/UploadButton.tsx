import { useEffect, useRef, useState } from "react";

import { useViewer } from "../app/viewer";
import { dropped } from "../uploads/files";
import { upload } from "../uploads/start";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import css from "./Library.module.css";

/** UploadButton opens the choice of files. Files may also be dropped anywhere on the page. */
export function UploadButton({ playlistId }: { playlistId: string | null }) {
  const viewer = useViewer();
  const input = useRef<HTMLInputElement>(null);
  const over = useDrop((transfer) => {
    void dropped(transfer).then((chosen) => upload(viewer, chosen, playlistId));
  });

  return (
    <>
      <Button look="strong" icon="upload" onClick={() => input.current!.click()}>
        Upload
      </Button>
      <input
        ref={input}
        type="file"
        multiple
        hidden
        accept="video/*,.mkv,.mov,.m4v,.avi,.mts,.m2ts,.mxf,.wmv,.flv,.ts,.vob"
        onChange={(event) => {
          void upload(viewer, [...event.target.files!].map((file) => ({ file })), playlistId);
          event.target.value = "";
        }}
      />
      {over && (
        <div className={css["drop"]}>
          <p>
            <Icon name="upload" size={32} />
            Drop videos or folders to upload them
          </p>
        </div>
      )}
    </>
  );
}

/** useDrop reports whether files are held over the window, and calls back when they are dropped. */
function useDrop(onDrop: (transfer: DataTransfer) => void): boolean {
  const [over, setOver] = useState(false);
  const drop = useRef(onDrop);
  useEffect(() => {
    drop.current = onDrop;
  });

  useEffect(() => {
    let depth = 0; // of the elements that the pointer has entered
    const files = (event: DragEvent) => !!event.dataTransfer?.types.includes("Files");
    const on = {
      dragenter(event: DragEvent) {
        if (files(event)) setOver(++depth > 0);
      },
      dragleave(event: DragEvent) {
        if (files(event)) setOver(--depth > 0);
      },
      dragover(event: DragEvent) {
        if (files(event)) event.preventDefault();
      },
      drop(event: DragEvent) {
        if (!files(event)) return;
        event.preventDefault();
        depth = 0;
        setOver(false);
        if (!document.querySelector("dialog[open]")) drop.current(event.dataTransfer!);
      },
    };
    for (const [name, listener] of Object.entries(on)) addEventListener(name as "drop", listener);
    return () => {
      for (const [name, listener] of Object.entries(on)) removeEventListener(name as "drop", listener);
    };
  }, []);

  return over;
}
