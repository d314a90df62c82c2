import type { Video } from "./edit";

const escaped = (text: string): string => text.replace(/[&<>"]/g, (char) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[char]!);

/** linkAt leads to a second of a video. */
export const linkAt = (page: string, seconds: number): string => (seconds > 0 ? `${page}?t=${seconds}` : page);

type Shared = Pick<Video, "name" | "links" | "dimensions">;

/** embedCode is HTML that shows the player, as wide as there is room. */
export function embedCode({ name, links, dimensions }: Shared): string {
  const { width, height } = dimensions;
  return `<iframe src="${escaped(links.embedPage)}" title="${escaped(name)}" style="width:100%;aspect-ratio:${width}/${height};border:0" allow="autoplay; fullscreen; picture-in-picture" allowfullscreen></iframe>`;
}

/** The width of the picture in an e-mail, in pixels. */
const wide = 480;

/**
 * mailOf is what an e-mail shows of a video: a moving picture and its name, both of which lead to its page. The address of
 * the picture is the permanent one, because signed addresses end long before the e-mail is opened.
 */
export function mailOf({ name, links, dimensions }: Shared): { html: string; text: string } {
  const page = escaped(links.viewPage);
  const picture = escaped(links.viewPage.replace(/\/view$/, "/preview.gif"));
  const height = Math.round((wide * dimensions.height) / dimensions.width);
  return {
    html: `<a href="${page}"><img src="${picture}" alt="${escaped(name)}" width="${wide}" height="${height}"></a><br><a href="${page}">${escaped(name)}</a>`,
    text: `${name}\n${links.viewPage}`,
  };
}
