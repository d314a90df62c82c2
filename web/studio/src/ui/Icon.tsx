const paths = {
  activity: "M4 12.5h3.5l2.5-7 4 13 2.5-6H20",
  alert: "M12 8.5v4.5m0 3.2v.01M12 4 3.5 19h17z",
  analytics: "M5 19V11m4.7 8V5m4.6 14v-6M19 19V8",
  check: "m5 12.5 4.5 4.5L19 7.5",
  chevron: "m7 10 5 5 5-5",
  clock: "M12 4.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15zM12 8v4.2l2.8 1.8",
  close: "m6.5 6.5 11 11m0-11-11 11",
  comment: "M5 6.5A1.5 1.5 0 0 1 6.5 5h11A1.5 1.5 0 0 1 19 6.5v8a1.5 1.5 0 0 1-1.5 1.5H11l-4 3.5V16h-.5A1.5 1.5 0 0 1 5 14.5z",
  download: "M12 4v10m-4-4 4 4 4-4M5 19h14",
  drag: "M9 6.5v.01M9 12v.01M9 17.5v.01M15 6.5v.01M15 12v.01M15 17.5v.01",
  edit: "m5 19 .8-3.8L15.5 5.5l3 3-9.7 9.7z",
  eye: "M3.5 12S6.5 6.5 12 6.5 20.5 12 20.5 12 17.5 17.5 12 17.5 3.5 12 3.5 12zM12 9.7a2.3 2.3 0 1 0 0 4.6 2.3 2.3 0 0 0 0-4.6z",
  film: "M5.5 5h13A1.5 1.5 0 0 1 20 6.5v11a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 17.5v-11A1.5 1.5 0 0 1 5.5 5zM10 9v6l5-3z",
  filter: "M5 7h14M8 12h8m-5.5 5h3",
  folder: "M4 7.5A1.5 1.5 0 0 1 5.5 6H10l2 2.5h6.5A1.5 1.5 0 0 1 20 10v7a1.5 1.5 0 0 1-1.5 1.5h-13A1.5 1.5 0 0 1 4 17z",
  globe: "M12 4.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15zM4.8 12h14.4M12 4.5c2.2 2 3.3 4.5 3.3 7.5S14.2 17.5 12 19.5c-2.2-2-3.3-4.5-3.3-7.5S9.8 6.5 12 4.5z",
  library: "M5 5h6v6H5zm8 0h6v6h-6zM5 13h6v6H5zm8 0h6v6h-6z",
  link: "M10 13.5a4 4 0 0 0 5.7.3l2.8-2.8a4 4 0 0 0-5.7-5.7l-1.3 1.3M14 10.5a4 4 0 0 0-5.7-.3L5.5 13a4 4 0 0 0 5.7 5.7l1.3-1.3",
  lock: "M7.5 10.5h9A1.5 1.5 0 0 1 18 12v6a1.5 1.5 0 0 1-1.5 1.5h-9A1.5 1.5 0 0 1 6 18v-6a1.5 1.5 0 0 1 1.5-1.5zM8.5 10.5V8a3.5 3.5 0 0 1 7 0v2.5",
  menu: "M4.5 7h15m-15 5h15m-15 5h15",
  more: "M6 12v.01M12 12v.01M18 12v.01",
  playlist: "M4.5 7h11m-11 5h7m-7 5h5M15 12.5v6l4.5-3z",
  plus: "M12 5v14M5 12h14",
  record: "M12 5a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM12 9.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5z",
  search: "M10.5 5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM14.7 14.7 19.5 19.5",
  settings: "M5 7.5h8m4 0h2M5 16.5h2m4 0h8M15 5.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM9 14.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  sort: "M8 5.5v13m-3-3 3 3 3-3M16 18.5v-13m-3 3 3-3 3 3",
  tag: "M4.5 5.5v6l8 8 7-7-8-8h-6zM8.5 8.7v.01",
  trash: "M5 7h14M9.5 7V5h5v2m-7.5 0 .8 12h8.4L17 7m-6.8 3.5.3 5.5m3.3-5.5-.3 5.5",
  undo: "M8.5 5 4.5 9l4 4M5 9h9a5 5 0 0 1 0 10h-4",
  upload: "M12 15V5m-4 4 4-4 4 4M5 19h14",
  user: "M12 5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7zM5 19.5c.6-3.3 3.3-5 7-5s6.4 1.7 7 5",
} as const;

export type IconName = keyof typeof paths;

/** Icon draws a picture of one line. It says nothing to screen readers: what it stands in has a name of its own. */
export function Icon({ name, size = 20 }: { name: IconName; size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" stroke="currentColor" strokeWidth={name === "more" || name === "drag" ? 2.6 : 1.7} strokeLinecap="round" strokeLinejoin="round" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

/** Mark is the product's mark. */
export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden="true">
      <rect width="24" height="24" rx="7" fill="#5145d6" />
      <path d="M7.5 17.5v-11h5a3.5 3.5 0 0 1 0 7h-5m4.5 0 4 4" fill="none" stroke="#fff" strokeWidth="2.2" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
