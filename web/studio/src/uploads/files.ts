// The files that somebody chooses or drops.

export type Chosen = {
  file: File;
  /** How the browser finds the file again after a reload. Only dropped files have it, and not in every browser. */
  handle?: FileSystemFileHandle;
};

const recordings = /\.(3gp|asf|avi|flv|m2ts|m4v|mkv|mov|mp4|mpe?g|mts|mxf|ogv|ts|vob|webm|wmv)$/i;

/** isRecording reports whether a file is probably a video. The server looks at its content. */
export const isRecording = ({ name, type }: { name: string; type: string }): boolean => type.startsWith("video/") || recordings.test(name);

type Entry = FileSystemEntry & { file?: FileSystemFileEntry["file"]; createReader?: FileSystemDirectoryEntry["createReader"] };

/** dropped returns all files that were dropped, those in folders too. It must be called before the event is over. */
export async function dropped(transfer: DataTransfer): Promise<Chosen[]> {
  // Everything must be asked for now: the items are gone afterwards.
  const asked = [...transfer.items]
    .filter((item) => item.kind === "file")
    .map((item) => ({ handle: item.getAsFileSystemHandle?.() ?? null, entry: item.webkitGetAsEntry() as Entry | null, file: item.getAsFile() }));

  const found: Chosen[] = [];
  for (const { handle, entry, file } of asked) {
    const held = await handle?.catch(() => null);
    if (held) found.push(...(await inHandle(held)));
    else if (entry) found.push(...(await inEntry(entry)));
    else if (file) found.push({ file });
  }
  return found;
}

async function inHandle(handle: FileSystemHandle): Promise<Chosen[]> {
  if (handle.kind === "file") {
    const held = handle as FileSystemFileHandle;
    return [{ file: await held.getFile(), handle: held }];
  }
  const found: Chosen[] = [];
  for await (const inside of (handle as FileSystemDirectoryHandle).values()) found.push(...(await inHandle(inside)));
  return found;
}

async function inEntry(entry: Entry): Promise<Chosen[]> {
  if (entry.isFile) return [{ file: await new Promise<File>((resolve, reject) => entry.file!(resolve, reject)) }];

  const reader = entry.createReader!();
  const found: Chosen[] = [];
  for (;;) {
    // A reader returns some of the entries at a time, and none at the end.
    const some = await new Promise<Entry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (!some.length) return found;
    for (const inside of some) found.push(...(await inEntry(inside)));
  }
}
