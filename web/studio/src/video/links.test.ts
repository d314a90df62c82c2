import { expect, test } from "vitest";

import { embedCode, linkAt, mailOf } from "./links";

const video = { name: 'Bits & "bobs" <1>', links: { viewPage: "https://v.test/video/vid_1/view", embedPage: "https://v.test/video/vid_1/embed" }, dimensions: { width: 1920, height: 1080 } };

test("a link leads to a second", () => {
  expect([linkAt(video.links.viewPage, 0), linkAt(video.links.viewPage, 72)]).toEqual(["https://v.test/video/vid_1/view", "https://v.test/video/vid_1/view?t=72"]);
});

test("names cannot add HTML", () => {
  expect(embedCode(video)).toBe(
    '<iframe src="https://v.test/video/vid_1/embed" title="Bits &amp; &quot;bobs&quot; &lt;1&gt;" style="width:100%;aspect-ratio:1920/1080;border:0" allow="autoplay; fullscreen; picture-in-picture" allowfullscreen></iframe>',
  );
  expect(mailOf(video)).toEqual({
    html: '<a href="https://v.test/video/vid_1/view"><img src="https://v.test/video/vid_1/preview.gif" alt="Bits &amp; &quot;bobs&quot; &lt;1&gt;" width="480" height="270"></a><br><a href="https://v.test/video/vid_1/view">Bits &amp; &quot;bobs&quot; &lt;1&gt;</a>',
    text: 'Bits & "bobs" <1>\nhttps://v.test/video/vid_1/view',
  });
});
