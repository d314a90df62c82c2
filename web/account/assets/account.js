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
  if (!answer) throw new Error(`The server answered ${response.status}. Try again.`);
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
  if (v.valueMissing) return `Enter your ${input.type === "password" ? "password" : input.type === "email" ? "e-mail address" : "name"}.`;
  if (v.tooShort) return "Use at least 8 characters.";
  if (v.typeMismatch) return "This is not an e-mail address.";
  return v.valid ? "" : input.validationMessage;
}

// onSubmit checks a form, calls send, and shows what went wrong. The form cannot be sent twice at the same time.
function onSubmit(within, send) {
  const button = within.querySelector(".strong");
  within.addEventListener("submit", async (event) => {
    event.preventDefault();
    if (button.getAttribute("aria-busy") === "true") return;
    clear(within);
    const wrong = [...within.elements].filter((e) => e.willValidate && e.offsetParent && reason(e));
    for (const e of wrong) mark(within, e.name, reason(e));
    if (wrong.length) return wrong[0].focus();
    button.setAttribute("aria-busy", "true");
    try {
      await send(Object.fromEntries(new FormData(within)));
    } catch (error) {
      mark(within, error.field ?? "", error.message);
      within.querySelector("[aria-invalid]")?.focus();
    } finally {
      button.removeAttribute("aria-busy");
    }
  });
}

const pages = {
  welcome() {
    onSubmit(form, async ({ name, email, password }) => {
      await ask(`mutation CreateOwner($input: CreateOwnerInput!) { createOwner(input: $input) { session { id } } }`, {
        input: { token, name, email, password },
      });
      location.assign("/");
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
      return;
    }
    page.querySelector("[data-offer]").textContent = `Join ${offer.workspaceName}`;
    page.querySelector("[data-about]").textContent = offer.inviterName ? `${offer.inviterName} invites you.` : "You are invited.";
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
      location.assign("/");
    });

    form.querySelector("[data-decline]").addEventListener("click", async () => {
      try {
        await ask(`mutation Decline($input: DeclineInvitationInput!) { declineInvitation(input: $input) { deletedId } }`, { input: { token } });
        show("declined");
      } catch (error) {
        mark(form, "", error.message);
      }
    });
  },

  reset() {
    onSubmit(form, async ({ password }) => {
      await ask(`mutation Reset($input: ResetPasswordInput!) { resetPassword(input: $input) { user { id } } }`, { input: { token, password } });
      show("done");
    });
  },
};

if (token) {
  pages[page.dataset.page]();
} else {
  show("no-token");
  const asking = document.querySelector('[data-page="ask"] form');
  if (asking) {
    onSubmit(asking, async ({ email }) => {
      await ask(`mutation Forgot($input: RequestPasswordResetInput!) { requestPasswordReset(input: $input) { sendsMail } }`, { input: { email } });
      show("sent");
    });
  }
}
