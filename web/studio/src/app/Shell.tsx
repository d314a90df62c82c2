import { lazy, Suspense, useEffect, useState } from "react";
import { useQuery } from "urql";
import { Link, Route, Switch, useLocation } from "wouter";

import { hasUnfinished, openUploads, useUploads } from "../uploads/start";
import { Button, ButtonLink } from "../ui/Button";
import { Dialog } from "../ui/Dialog";
import { Mark } from "../ui/Icon";
import { Empty, ErrorNote, Loading } from "../ui/Notes";
import { Toasts } from "../ui/Toasts";
import { Account } from "./Account";
import { Boundary } from "./Boundary";
import { useLive } from "./live";
import { routes } from "./routes";
import { Screen } from "./Screen";
import { startAt } from "./scroll";
import css from "./Shell.module.css";
import { ShellDocument } from "./made/graphql";
import { Sidebar } from "./Sidebar";
import { SignInAgain } from "./SignInAgain";
import { loaded } from "./upgrade";
import { usePhone } from "./useMedia";
import { mayCreate, useViewer, ViewerContext } from "./viewer";

const Tray = lazy(async () => ({ default: (await loaded(import("../uploads/part"))).Tray }));

/** Shell is what stays on all screens. */
export function Shell() {
  const [{ data, error }, again] = useQuery({ query: ShellDocument });
  const viewer = data?.viewer ?? null;

  return (
    <>
      {viewer ? (
        <ViewerContext value={viewer}>
          <Frame />
        </ViewerContext>
      ) : error ? (
        <main className={css["alone"]}>
          <h1>Reelgraph</h1>
          <ErrorNote error={error} onRetry={again} />
        </main>
      ) : (
        <Skeleton />
      )}
      <Toasts />
      <SignInAgain viewer={viewer} />
    </>
  );
}

/** Skeleton has the shape of the shell, so that nothing jumps when its content arrives. */
function Skeleton() {
  return (
    <div className={css["shell"]}>
      <div className={css["side"]} />
      <main className={css["main"]}>
        <Loading />
      </main>
    </div>
  );
}

function Frame() {
  const [path] = useLocation();
  const phone = usePhone();
  const viewer = useViewer();
  const uploads = useUploads();

  useLive();

  useEffect(() => {
    if (mayCreate(viewer) && hasUnfinished()) void openUploads(viewer).catch(() => undefined); // the next visit tries again
  }, [viewer]);

  useEffect(() => startAt(path), [path]);

  return (
    <div className={css["shell"]}>
      <a href="#main" className={css["skip"]}>
        Skip to the content
      </a>
      {phone ? <Bar /> : <Side />}
      <main id="main" tabIndex={-1} className={css["main"]}>
        <Boundary key={path}>
          <Suspense fallback={<Loading />}>
            <Switch>
              {routes.map(({ path, screen }) => (
                <Route key={path} path={path} component={screen} />
              ))}
              <Route>
                <Screen title="Nothing here">
                  <Empty icon="search" title="There is no such page" actions={<ButtonLink to="/">Go to your videos</ButtonLink>} />
                </Screen>
              </Route>
            </Switch>
          </Suspense>
        </Boundary>
      </main>
      {uploads && (
        <Suspense>
          <Tray uploads={uploads} />
        </Suspense>
      )}
    </div>
  );
}

function Brand() {
  return (
    <Link href="/" className={css["brand"]} aria-label="Reelgraph, to your videos">
      <Mark />
      <span>Reelgraph</span>
    </Link>
  );
}

function Side() {
  return (
    <header className={css["side"]}>
      <Brand />
      <div className={css["scroll"]}>
        <Sidebar />
      </div>
      <Account />
    </header>
  );
}

/** Bar stands above the screen on a phone, and opens the navigation. */
function Bar() {
  const [open, setOpen] = useState(false);
  const place = useLocation()[0] + location.search;

  useEffect(() => setOpen(false), [place]);

  return (
    <header className={css["bar"]}>
      <Button icon="menu" compact look="quiet" onClick={() => setOpen(true)}>
        Menu
      </Button>
      <Brand />
      {open && (
        <Dialog title="Menu" place="side" light onClose={() => setOpen(false)}>
          <Sidebar />
          <Account />
        </Dialog>
      )}
    </header>
  );
}
