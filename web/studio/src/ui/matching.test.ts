import { expect, test } from "vitest";

import { matching } from "./matching";

const choices = ["Onboarding", "Café", "On call", "Release"].map((name, i) => ({ id: String(i), name }));

test("names are found without case and accents, beginnings first", () => {
  expect(matching(choices, [], "CAFE", true).found.map((c) => c.name)).toEqual(["Café"]);
  expect(matching(choices, [], "on", false).found.map((c) => c.name)).toEqual(["Onboarding", "On call"]);
  expect(matching(choices, [], "l", false).found.map((c) => c.name)).toEqual(["On call", "Release"]);
});

test("picked choices are left out, and are no new ones", () => {
  expect(matching(choices, [choices[1]!], "", true)).toEqual({ found: [choices[0], choices[2], choices[3]], fresh: null });
  expect(matching(choices, [choices[1]!], "café", true).fresh).toBeNull();
});

test("what nobody made yet may be made", () => {
  expect(matching(choices, [], " Weekly ", true).fresh).toBe("Weekly");
  expect(matching(choices, [], "cafe", true).fresh).toBe("cafe");
  expect(matching(choices, [], "Weekly", false).fresh).toBeNull();
  expect(matching(choices, [], "  ", true).fresh).toBeNull();
});
