/**
 * here makes an address of this server one of the page's own origin. The server signs addresses below its main origin,
 * but may be opened at another one. Addresses of other servers stay as they are.
 */
export function here(address: string, origin: string = location.origin): string {
  const at = new URL(address, origin);
  return /^\/(media|stills|catalog|downloads|uploads|watch|video|playlist|account|settings|invite|reset)\b/.test(at.pathname) ? at.pathname + at.search + at.hash : address;
}
