import { clock, find, need } from "./dom";

/** copying makes the button copy the page's address. */
export function copying(button: HTMLButtonElement): void {
  button.hidden = false;
  const label = need(button, "span");
  const text = label.textContent;
  button.addEventListener("click", () => {
    void navigator.clipboard
      .writeText(button.dataset.copy ?? location.href)
      .then(() => (label.textContent = "Copied"))
      .catch(() => (label.textContent = "Not copied"))
      .then(() => setTimeout(() => (label.textContent = text), 1800));
  });
}

/**
 * saying sends comments, replies and changes of them without leaving the page, so that the video keeps playing. Comments
 * are added later, so it listens on the whole section.
 */
export function saying(section: HTMLElement): void {
  const first = need(section, ".say");
  const pin = need(first, ".pin");
  const at = need<HTMLInputElement>(first, "[name=atSeconds]");
  pin.hidden = false;

  document.addEventListener("reel:time", (e) => {
    const now = (e as CustomEvent<number>).detail;
    at.value = now.toFixed(3);
    need(pin, "output").textContent = clock(now);
  });

  section.addEventListener("submit", (e) => {
    const form = e.target as HTMLFormElement;
    if (form.dataset.say === undefined) return;
    e.preventDefault();
    void send(section, form);
  });
}

async function send(section: HTMLElement, form: HTMLFormElement): Promise<void> {
  const button = need<HTMLButtonElement>(form, "button");
  const problem = need(form, ".problem");
  button.disabled = true;
  problem.hidden = true;

  try {
    const answer = await fetch(form.action, {
      method: "POST",
      headers: { Accept: "text/html; fragment" },
      body: new URLSearchParams(new FormData(form) as unknown as Record<string, string>),
    });
    const said = new DOMParser().parseFromString(await answer.text(), "text/html");
    if (!answer.ok) throw new Error(find(said, "main p")?.textContent ?? "");
    const comment = find(said, ".comment");
    if (!comment) throw new Error("");
    show(section, form, comment);
  } catch (failed) {
    problem.textContent = (failed as Error).message || "The comment was not sent. Try again.";
    problem.hidden = false;
  } finally {
    button.disabled = false;
  }
}

/** show puts what the server answered in its place: a changed comment keeps its replies, a new one comes last. */
function show(section: HTMLElement, form: HTMLFormElement, comment: HTMLElement): void {
  const around = form.closest<HTMLElement>(".comment");

  if (form.dataset.say === "change" && around) {
    need(around, ":scope > .entry").replaceWith(need(comment, ".entry"));
    around.className = comment.className;
    find(around, ".tools summary, .tools button")?.focus();
    return;
  }

  need(around ?? section, around ? ".replies" : ".said").append(comment);
  need(section, ".count").textContent = String(section.querySelectorAll(".comment").length);
  need<HTMLTextAreaElement>(form, "textarea").value = "";
  form.closest("details")?.removeAttribute("open");
  comment.scrollIntoView({ block: "nearest" });
}
