import { lazy, Suspense, useSyncExternalStore } from "react";

import { session } from "../graph/session";
import { loaded } from "./upgrade";
import type { Viewer } from "./viewer";

const SignInForm = lazy(async () => ({ default: (await loaded(import("../signin/SignInForm"))).SignInForm }));

/**
 * SignInAgain asks for the password when the session has ended. What was on the screen stays there, and what was being
 * sent is sent afterwards. Before anything was on the screen it goes to the page for signing in.
 */
export function SignInAgain({ viewer }: { viewer: Viewer | null }) {
  const ended = useSyncExternalStore(session.subscribe, session.isEnded);
  if (!ended) return null;
  if (viewer)
    return (
      <Suspense>
        <SignInForm viewer={viewer} leave={leave} />
      </Suspense>
    );

  leave();
  return null;
}

const leave = () => location.replace(`/sign-in?to=${encodeURIComponent(location.pathname + location.search)}`);
