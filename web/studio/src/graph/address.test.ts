import { expect, test } from "vitest";

import { here } from "./address";

test("addresses of this server are of the page's own origin", () => {
  expect(here("http://127.0.0.1:8080/stills/a.jpg?sig=1", "http://localhost:8080")).toBe("/stills/a.jpg?sig=1");
  expect(here("https://films.example.com/uploads/su_1?x=2", "https://films.example.com")).toBe("/uploads/su_1?x=2");
  expect(here("https://elsewhere.example/pictures/a.jpg", "http://localhost:8080")).toBe("https://elsewhere.example/pictures/a.jpg");
});
