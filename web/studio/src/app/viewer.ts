import { createContext, useContext } from "react";

import type { ShellQuery } from "./made/graphql";

export type Viewer = ShellQuery["viewer"];

export const ViewerContext = createContext<Viewer | null>(null);

/** useViewer returns the person who is signed in, and the workspace that they look at. */
export function useViewer(): Viewer {
  return useContext(ViewerContext)!;
}

/** mayCreate reports whether the person may upload and change things. A viewer only watches. */
export const mayCreate = (viewer: Viewer): boolean => viewer.role !== "VIEWER";

/** manages reports whether the person may change what others in the workspace made. */
export const manages = (viewer: Viewer): boolean => viewer.role === "OWNER" || viewer.role === "ADMIN";
