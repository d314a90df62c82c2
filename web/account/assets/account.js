// The script of /welcome, /invite and /reset. Each page has one form that sends one mutation to the graph.

const token = location.hash.slice(1);
const page = document.querySelector("[data-page]");
const form = page.querySelector("form");

// ask sends a document to the graph and returns its data. It throws the first error of the answer.
async function ask(query, variables) {
  let response;
  try {
    response = await fetch("/graphql", {
      method: "POST",
      headers: { "Content-Type": "application/json", Accept: "application/graphql-response+json, application/json" },
      body: JSON.stringify({ query, variables }),
    });
  } catch {
    throw new Error("The server cannot be reached. Check your connection and try again.");
  }
  const answer = await response.json().catch(() => null);
  if (!answer?.data && !answer?.errors) throw new Error(answer?.message ?? `The server answered ${response.status}. Try again.`);
  if (answer.errors) {
    const [first] = answer.errors;
    throw Object.assign(new Error(first.message), { code: first.extensions?.code });
  }
  return answer.data;
}

// show replaces the page with one of its other sections.
function show(name) {
  for (const section of document.querySelectorAll("main > section")) section.hidden = section.dataset.when !== name;
  document.querySelector(`[data-when="${name}"] h1`).focus();
}

// enter leaves for the first page of a signed-in person, which replaces this one in the history, with its token.
function enter() {
  location.replace("/");
  return new Promise(() => {}); // the form stays busy until this page is gone
}

// named sets the text of an element in which a name must not change the direction of the words around it.
function named(element, before, name, after = "") {
  const isolated = document.createElement("bdi");
  isolated.textContent = name;
  element.replaceChildren(before, isolated, after);
}

// mark shows a problem below its field, or below the form if it belongs to none.
function mark(within, field, text) {
  const input = within.elements[field];
  const place = input && document.getElementById(input.getAttribute("aria-describedby")?.split(" ").pop());
  if (place) {
    input.setAttribute("aria-invalid", "true");
    place.textContent = text;
  } else {
    within.querySelector("[data-problem]").textContent = text;
  }
}

function clear(within) {
  for (const p of within.querySelectorAll(".problem")) p.textContent = "";
  for (const i of within.querySelectorAll("[aria-invalid]")) i.removeAttribute("aria-invalid");
}

// reason says what is wrong with an input, in words.
function reason(input) {
  const v = input.validity;
  if (v.valueMissing || (input.required && !input.value.trim())) return `Enter your ${input.type === "password" ? "password" : input.type === "email" ? "e-mail address" : "name"}.`;
  if (v.tooShort) return "Use at least 8 characters.";
  if (v.typeMismatch) return "This is not an e-mail address.";
  return v.valid ? "" : input.validationMessage;
}

// onSubmit checks a form, calls send, and shows what went wrong. The form cannot be sent twice at the same time.
function onSubmit(within, send) {
  within.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (within.getAttribute("aria-busy") === "true") return;
    clear(within);
    const wrong = [...within.elements].filter((e) => e.willValidate && e.offsetParent && reason(e));
    for (const e of wrong) mark(within, e.name, reason(e));
    if (wrong.length) return wrong[0].focus();
    await busy(within, () => send(Object.fromEntries(new FormData(within))));
  });
}

// busy runs an action of a form, and shows what went wrong. Meanwhile the form starts no other.
async function busy(within, action) {
  if (within.getAttribute("aria-busy") === "true") return;
  within.setAttribute("aria-busy", "true");
  try {
    await action();
  } catch (error) {
    // The server names the argument first, such as "input.email must be an e-mail address."
    const [, field, rule] = /^(?:input\.)?(\w+) (.*)$/.exec(error.message) ?? [];
    if (within.elements[field]) mark(within, field, `This ${rule}`);
    else mark(within, error.field ?? "", error.message);
    within.querySelector("[aria-invalid]")?.focus();
  }
  within.removeAttribute("aria-busy");
}

const pages = {
  welcome() {
    onSubmit(form, async ({ name, email, password }) => {
      await ask(`mutation CreateOwner($input: CreateOwnerInput!) { createOwner(input: $input) { session { id } } }`, {
        input: { token, name, email, password },
      });
      await enter();
    });
  },

  async invite() {
    const gone = page.querySelector("[data-gone]");
    let offer;
    let mine = false;
    try {
      offer = (await ask(`query Offer($token: String!) {
        invitation(token: $token) { email workspaceName inviterName hasAccount }
      }`, { token })).invitation;
      if (offer.hasAccount) {
        const viewer = await ask(`{ viewer { user { email } } }`).catch(() => null);
        mine = viewer?.viewer.user.email.toLowerCase() === offer.email.toLowerCase();
      }
    } catch (error) {
      gone.textContent = error.message;
      page.querySelector("[data-again]").hidden = error.code === "not_found";
      return;
    }
    named(page.querySelector("[data-offer]"), "Join ", offer.workspaceName);
    const about = page.querySelector("[data-about]");
    if (offer.inviterName) named(about, "", offer.inviterName, " invites you.");
    else about.textContent = "You are invited.";
    form.elements.email.value = offer.email;
    const kind = mine ? "" : offer.hasAccount ? "known" : "new";
    for (const part of form.querySelectorAll("[data-only]")) part.hidden = part.dataset.only !== kind;
    form.hidden = false;

    onSubmit(form, async ({ name, password, knownPassword }) => {
      if (kind === "known") {
        try {
          await ask(`mutation SignIn($input: SignInInput!) { signIn(input: $input) { session { id } } }`, {
            input: { email: offer.email, password: knownPassword },
          });
        } catch (error) {
          throw Object.assign(error, { field: error.code === "unauthorized" ? "knownPassword" : "" });
        }
      }
      await ask(`mutation Accept($input: AcceptInvitationInput!) { acceptInvitation(input: $input) { session { id } } }`, {
        input: kind === "new" ? { token, name, password } : { token },
      });
      await enter();
    });

    form.querySelector("[data-decline]").addEventListener("click", () => {
      if (!confirm(`Decline the invitation to ${offer.workspaceName}? Its link stops working.`)) return;
      clear(form);
      busy(form, async () => {
        await ask(`mutation Decline($input: DeclineInvitationInput!) { declineInvitation(input: $input) { deletedId } }`, { input: { token } });
        show("declined");
      });
    });
  },

  reset() {
    onSubmit(form, async ({ password }) => {
      await ask(`mutation Reset($input: ResetPasswordInput!) { resetPassword(input: $input) { user { id } } }`, { input: { token, password } });
      show("done");
    });
  },
};

// A person may paste the whole address into this tab, or open another link in it: only the fragment changes then.
addEventListener("hashchange", () => location.reload());
document.querySelector("[data-again]")?.addEventListener("click", () => location.reload());

if (token) {
  document.querySelector('[data-when="no-token"]').hidden = true;
  page.hidden = false;
  pages[page.dataset.page]();
} else {
  const asking = document.querySelector('[data-page="ask"] form');
  if (asking) {
    onSubmit(asking, async ({ email }) => {
      const asked = await ask(`mutation Forgot($input: RequestPasswordResetInput!) { requestPasswordReset(input: $input) { sendsMail } }`, { input: { email } });
      if (!asked.requestPasswordReset.sendsMail) throw new Error("This server sends no mail. Ask its operator for a link.");
      show("sent");
    });
  }
}
