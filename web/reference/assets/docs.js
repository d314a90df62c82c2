"use strict";

// Search, copy buttons, and marking the current section. The pages work without this script.
(() => {
  const body = document.body;

  // Copy.
  for (const button of document.querySelectorAll(".copy")) {
    button.hidden = !navigator.clipboard;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(button.closest(".code").querySelector("code").textContent);
      button.textContent = "Copied";
      setTimeout(() => (button.textContent = "Copy"), 1500);
    });
  }

  // Redirects links to the single page that the reference used to be.
  const read = async () => (await fetch(body.dataset.index)).json();
  let index;

  const moved = async () => {
    const id = location.hash.slice(1);
    if (location.pathname !== "/docs" || !id || document.getElementById(id)) {
      return;
    }

    const target = (await read()).find((entry) => entry.url.endsWith("#" + id.replace(/^(shape|event)-/, "")));
    if (target) {
      location.replace(target.url);
    }
  };

  moved();

  // Marks the current operation in the contents.
  const links = new Map([...document.querySelectorAll(".side .within a")].map((a) => [a.hash.slice(1), a]));
  const seen = new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) {
        if (isIntersecting) {
          for (const [id, link] of links) {
            link.classList.toggle("here", id === target.id);
          }

          const link = links.get(target.id);
          const side = link.closest(".side");
          const at = link.offsetTop - side.scrollTop;
          if (at < 0 || at > side.clientHeight - 40) {
            side.scrollTop = link.offsetTop - side.clientHeight / 2;
          }
        }
      }
    },
    { rootMargin: "-15% 0px -80% 0px" },
  );

  for (const id of links.keys()) {
    seen.observe(document.getElementById(id));
  }

  // Closes the menu after a choice.
  document.querySelector(".menu")?.addEventListener("click", (event) => {
    if (event.target.closest("a")) {
      event.currentTarget.open = false;
    }
  });

  // Search.
  const dialog = document.querySelector(".search");
  const opener = document.querySelector(".find");
  const input = dialog.querySelector("input");
  const list = document.getElementById("results");
  const none = dialog.querySelector(".none");
  const most = 12;

  const folded = (text) => text.toLowerCase().replace(/[^a-z0-9./{}_ -]/g, "");

  // Scores an entry: it must contain all words; matches in the title count most. 0 means no match.
  const score = (entry, words) => {
    let sum = 0;

    for (const word of words) {
      if (entry.title_.startsWith(word)) {
        sum += 10;
      } else if (entry.title_.includes(" " + word)) {
        sum += 8;
      } else if (entry.title_.includes(word)) {
        sum += 5;
      } else if (entry.kind_.includes(word)) {
        sum += 3;
      } else if (entry.words_.includes(word)) {
        sum += entry.words_.startsWith(word) ? 6 : 1;
      } else {
        return 0;
      }
    }

    return Math.max(sum + (entry.kind.includes("/v1") ? 4 : { Chapter: 5, Event: 1, Shape: -3 }[entry.kind] ?? 2), 0.1);
  };

  const choose = (item) => {
    for (const other of list.children) {
      other.setAttribute("aria-selected", String(other === item));
    }

    if (item) {
      input.setAttribute("aria-activedescendant", item.id);
      item.scrollIntoView({ block: "nearest" });
    } else {
      input.removeAttribute("aria-activedescendant");
    }
  };

  const show = () => {
    const words = folded(input.value).split(/\s+/).filter(Boolean);
    const best = words.length
      ? index
          .map((entry) => [score(entry, words), entry])
          .filter(([points]) => points > 0)
          .sort(([a], [b]) => b - a)
          .slice(0, most)
      : [];

    list.replaceChildren(
      ...best.map(([, entry], at) => {
        const item = document.createElement("li");
        item.id = "result-" + at;
        item.setAttribute("role", "option");
        item.dataset.url = entry.url;
        const title = document.createElement("b");
        title.textContent = entry.title;
        const kind = document.createElement("span");
        kind.textContent = entry.kind;
        item.append(title, kind);

        return item;
      }),
    );
    none.textContent = words.length && !best.length ? "No results. Try fewer or other words." : "";
    choose(list.firstElementChild);
  };

  const go = (item) => {
    if (item) {
      dialog.close();
      location.assign(item.dataset.url);
    }
  };

  const open = async () => {
    if (dialog.open) {
      return;
    }

    dialog.showModal();
    input.select();
    index ??= (await read()).map((entry) => ({
      ...entry,
      title_: entry.title.toLowerCase(),
      kind_: entry.kind.toLowerCase(),
      words_: entry.words.toLowerCase(),
    }));
    show();
  };

  opener.hidden = false;
  opener.addEventListener("click", open);
  input.addEventListener("input", () => index && show());
  input.addEventListener("keydown", (event) => {
    const now = list.querySelector("[aria-selected=true]");

    switch (event.key) {
      case "ArrowDown":
        choose(now?.nextElementSibling ?? list.firstElementChild);
        break;
      case "ArrowUp":
        choose(now?.previousElementSibling ?? list.lastElementChild);
        break;
      case "Enter":
        go(now);
        break;
      default:
        return;
    }

    event.preventDefault();
  });
  list.addEventListener("click", (event) => go(event.target.closest("li")));
  list.addEventListener("pointermove", (event) => choose(event.target.closest("li") ?? list.firstElementChild));
  dialog.addEventListener("click", (event) => event.target === dialog && dialog.close());
  document.addEventListener("keydown", (event) => {
    const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(event.target.tagName);

    if ((event.key === "/" && !typing) || (event.key === "k" && (event.metaKey || event.ctrlKey))) {
      event.preventDefault();
      open();
    }
  });
})();
