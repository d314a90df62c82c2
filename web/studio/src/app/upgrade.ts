// After an upgrade of the server, the parts of the studio that this tab has not loaded yet are gone.

import { lazy, type ComponentType } from "react";

const marker = "reloaded-for";

/** busyWith tells what a reload would interrupt, such as "3 uploads"; empty if nothing. */
let busyWith: () => string = () => "";
export const interrupts = (tell: () => string): void => void (busyWith = tell);

const entry = () => document.querySelector<HTMLScriptElement>('script[type="module"][src*="/studio/"]')?.getAttribute("src");

/** isNewer reports whether the server now has another studio than this tab. */
async function isNewer(): Promise<boolean> {
  try {
    const page = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-store" });
    const now = entry();
    return page.ok && !!now && !(await page.text()).includes(`"${now}"`);
  } catch {
    return false;
  }
}

/** Upgraded is thrown where a part cannot be loaded because the server has a newer studio. */
export class Upgraded extends Error {}

/**
 * loaded waits for a part of the studio that is loaded on demand. If the server has been upgraded, it reloads the page at
 * the address that it shows, once; drafts outlive that. If a reload would interrupt something, it throws Upgraded.
 */
export async function loaded<T>(part: Promise<T>): Promise<T> {
  try {
    const module = await part;
    sessionStorage.removeItem(marker);
    return module;
  } catch (error) {
    if (!(await isNewer())) throw error;
    if (busyWith() || sessionStorage.getItem(marker) === entry()) throw new Upgraded();
    sessionStorage.setItem(marker, entry() ?? "");
    location.reload();
    return new Promise(() => undefined);
  }
}

/** screen makes a screen that is loaded when somebody goes there. */
export const screen = (load: () => Promise<{ default: ComponentType }>) => lazy(() => loaded(load()));
