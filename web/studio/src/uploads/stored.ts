// Unfinished uploads, kept in the browser so that they go on after a reload.

import { hint } from "./hint";

export type Stored = {
  id: string;
  /** Whose it is: others who use the same browser do not see it. */
  owner: string;
  name: string;
  size: number;
  changed: number;
  sourceId?: string;
  playlistId?: string;
  handle?: FileSystemFileHandle;
};

const store = "uploads";

function open(): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const asked = indexedDB.open("reelgraph-studio", 1);
    asked.onupgradeneeded = () => asked.result.createObjectStore(store, { keyPath: "id" });
    asked.onsuccess = () => resolve(asked.result);
    asked.onerror = () => reject(asked.error);
  });
}

async function within<T>(mode: IDBTransactionMode, act: (uploads: IDBObjectStore) => IDBRequest<T>): Promise<T | undefined> {
  try {
    const db = await open();
    try {
      return await new Promise<T>((resolve, reject) => {
        const asked = act(db.transaction(store, mode).objectStore(store));
        asked.onsuccess = () => resolve(asked.result);
        asked.onerror = () => reject(asked.error);
      });
    } finally {
      db.close();
    }
  } catch {
    return undefined; // a private window may have no storage; uploads then end with the page
  }
}


export async function keep(upload: Stored): Promise<void> {
  localStorage.setItem(hint, "1");
  await within("readwrite", (uploads) => uploads.put(upload));
}

export async function forget(id: string): Promise<void> {
  await within("readwrite", (uploads) => uploads.delete(id));
  if (!(await within("readonly", (uploads) => uploads.count()))) localStorage.removeItem(hint);
}

export async function kept(owner: string): Promise<Stored[]> {
  const all = (await within<Stored[]>("readonly", (uploads) => uploads.getAll())) ?? [];
  return all.filter((upload) => upload.owner === owner);
}
