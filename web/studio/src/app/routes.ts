import type { ComponentType } from "react";

import { screen } from "./upgrade";

/**
 * The screens and their addresses, in wouter's notation. A screen is loaded when somebody goes there. The server knows the
 * same addresses (studio.go).
 */
export const routes: readonly { path: string; screen: ComponentType }[] = [
  { path: "/", screen: screen(() => import("../library/Library")) },
  { path: "/videos/:id", screen: screen(() => import("../video/VideoScreen")) },
  { path: "/playlists", screen: screen(() => import("../playlists/Playlists")) },
  { path: "/playlists/:id", screen: screen(() => import("../playlists/PlaylistScreen")) },
  { path: "/analytics", screen: screen(() => import("../analytics/Analytics")) },
  { path: "/activity", screen: screen(() => import("../activity/Activity")) },
  { path: "/settings/:part?", screen: screen(() => import("../settings/Settings")) },
];
