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

/** saying sends a comment without leaving the page, so that the video keeps playing. */
export function saying(form: HTMLFormElement): void {
  const problem = need(form, ".problem");
  const pin = need(form, ".pin");
  const at = need<HTMLInputElement>(form, "[name=atSeconds]");
  pin.hidden = false;

  document.addEventListener("reel:time", (e) => {
    const now = (e as CustomEvent<number>).detail;
    at.value = now.toFixed(3);
    need(pin, "output").textContent = clock(now);
  });

  form.addEventListener("submit", (e) => {
    e.preventDefault();
    const button = need<HTMLButtonElement>(form, "button");
    button.disabled = true;
    problem.hidden = true;
    void fetch(form.action, {
      method: "POST",
      headers: { Accept: "text/html; fragment" },
      body: new URLSearchParams(new FormData(form) as unknown as Record<string, string>),
    })
      .then(async (answer) => {
        const said = new DOMParser().parseFromString(await answer.text(), "text/html");
        if (!answer.ok) throw new Error(find(said, "main p")?.textContent ?? "");
        const comment = find(said, ".comment");
        const list = document.querySelector(".said");
        if (!comment || !list) throw new Error("");
        list.append(comment);
        const count = document.querySelector(".comments .count");
        if (count) count.textContent = String(list.children.length);
        need<HTMLTextAreaElement>(form, "textarea").value = "";
        comment.scrollIntoView({ block: "nearest" });
      })
      .catch((failed: Error) => {
        problem.textContent = failed.message || "The comment was not sent. Try again.";
        problem.hidden = false;
      })
      .finally(() => (button.disabled = false));
  });
}
