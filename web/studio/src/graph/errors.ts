import type { CombinedError } from "urql";

/** codeOf returns the code of the server's first error, or "offline" if there was no answer. */
export function codeOf(error: CombinedError): string {
  const [first] = error.graphQLErrors;
  if (first) return String(first.extensions["code"] ?? "server_error");
  return error.response ? "server_error" : "offline";
}

/** messageOf says in words what went wrong. The server's own messages are written for people. */
export function messageOf(error: CombinedError): string {
  const [first] = error.graphQLErrors;
  if (first) return first.message.replace(/^input\.(\w)/, (_, letter: string) => letter.toUpperCase());
  if (!error.response) return "The server cannot be reached. Check your connection and try again.";
  return "The server did not answer as expected. Try again.";
}

/**
 * fieldOf returns the input field that an error is about, and the rule it breaks. The server names the field first, such
 * as "input.name must be at most 255 characters."
 */
export function fieldOf(error: CombinedError): { field: string; rule: string } | null {
  const [, field, rule] = /^input\.(\w+) (.*)$/s.exec(error.graphQLErrors[0]?.message ?? "") ?? [];
  return field && rule ? { field, rule: `This ${rule}` } : null;
}
