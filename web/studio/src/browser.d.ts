// What browsers have and TypeScript's library does not know yet.

interface FileSystemHandle {
  requestPermission?(options: { mode: "read" }): Promise<PermissionState>;
}

interface DataTransferItem {
  getAsFileSystemHandle?(): Promise<FileSystemHandle | null>;
}
