import { Upload as Tus, type DetailedError } from "tus-js-client";
import type { Client } from "urql";

import { here } from "../graph/address";
import { messageOf } from "../graph/errors";
import { AddLibraryItemDocument, CreateLibrarySourceDocument, LibrarySourceDocument, type LibraryScope, type SourceKind } from "./made/graphql";

/** kindOf tells what a file is, as far as its type says so. */
export function kindOf(type: string): SourceKind | null {
  const [kind] = type.split("/");
  return kind === "image" ? "IMAGE" : kind === "video" ? "VIDEO" : kind === "audio" ? "AUDIO" : null;
}

/** sendItem uploads a file and adds it to the library. It returns what went wrong, in words; empty if nothing did. */
export async function sendItem(client: Client, file: File, scope: LibraryScope, onPart: (part: number | null) => void): Promise<string> {
  const kind = kindOf(file.type);
  if (!kind) return "it is no picture, video or sound.";

  const made = await client.mutation(CreateLibrarySourceDocument, { input: { kind, name: file.name.slice(0, 255), bytes: file.size, contentType: file.type } }).toPromise();
  if (made.error) return messageOf(made.error);
  const { source, uploadUrl } = made.data!.createSource;

  const problem = await sent(file, uploadUrl, onPart);
  if (problem) return problem;
  onPart(null);

  const failed = await ready(client, source.id);
  if (failed) return failed;
  const { error } = await client.mutation(AddLibraryItemDocument, { input: { sourceId: source.id, scope } }).toPromise();
  return error ? messageOf(error) : "";
}

function sent(file: File, address: string, onPart: (part: number) => void): Promise<string> {
  return new Promise((resolve) => {
    new Tus(file, {
      uploadUrl: here(address),
      uploadSize: file.size,
      chunkSize: 8 << 20,
      retryDelays: [500, 1_000, 2_000, 4_000],
      storeFingerprintForResuming: false,
      onProgress: (bytes) => onPart(bytes / file.size),
      onSuccess: () => resolve(""),
      onError: (error) => resolve((error as DetailedError).originalResponse ? "the server refused the file." : "the connection was lost."),
    }).start();
  });
}

/** ready waits until the server has read the file. */
function ready(client: Client, id: string): Promise<string> {
  return new Promise((resolve) => {
    const { unsubscribe } = client.subscription(LibrarySourceDocument, { id }).subscribe(({ data, error }) => {
      const status = data?.sourceUpdated.status;
      if (!error && status !== "READY" && status !== "FAILED") return;
      queueMicrotask(() => unsubscribe()); // the first event may come before subscribe returns
      resolve(error ? messageOf(error) : status === "FAILED" ? (data?.sourceUpdated.error?.message ?? "the file cannot be read.") : "");
    });
  });
}
