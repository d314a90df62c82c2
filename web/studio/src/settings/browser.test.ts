import { expect, test } from "vitest";

import { browserOf } from "./browser";

test("browsers are named as people know them", () => {
  expect(browserOf("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36")).toBe("Chrome on Linux");
  expect(browserOf("Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36 Edg/156.0.0.0")).toBe("Edge on Windows");
  expect(browserOf("Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/19.0 Mobile/15E148 Safari/604.1")).toBe("Safari on iPhone");
  expect(browserOf("Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:150.0) Gecko/20100101 Firefox/150.0")).toBe("Firefox on macOS");
  expect(browserOf("curl/8.5.0")).toBe("curl/8.5.0");
  expect(browserOf("")).toBe("Unknown browser");
});
