// What is loaded with the first upload.
export { isBusy } from "./queue";
export { Tray } from "./Tray";
export { Uploads } from "./Uploads";
