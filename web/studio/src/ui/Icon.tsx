const paths = {
  activity: "M4 12.500h3.500l2.500-7 4 13 2.500-6H20",
  alert: "M12 8.500v4.500m0 3.200v.01M12 4 3.500 19h17z",
  analytics: "M5 19V11m4.700 8V5m4.600 14v-6M19 19V8",
  check: "m5 12.500 4.500 4.500L19 7.500",
  chevron: "m7 10 5 5 5-5",
  clock: "M12 4.500a7.500 7.500 0 1 0 0 15 7.500 7.500 0 0 0 0-15zM12 8v4.200l2.800 1.800",
  close: "m6.500 6.500 11 11m0-11-11 11",
  comment: "M5 6.500A1.500 1.500 0 0 1 6.500 5h11A1.500 1.500 0 0 1 19 6.500v8a1.500 1.500 0 0 1-1.500 1.500H11l-4 3.500V16h-.500A1.500 1.500 0 0 1 5 14.500z",
  download: "M12 4v10m-4-4 4 4 4-4M5 19h14",
  drag: "M9 6.500v.01M9 12v.01M9 17.500v.01M15 6.500v.01M15 12v.01M15 17.500v.01",
  edit: "m5 19 .8-3.800L15.500 5.500l3 3-9.700 9.700z",
  eye: "M3.500 12S6.500 6.500 12 6.500 20.500 12 20.500 12 17.500 17.500 12 17.500 3.500 12 3.500 12zM12 9.700a2.300 2.300 0 1 0 0 4.600 2.300 2.300 0 0 0 0-4.600z",
  film: "M5.500 5h13A1.500 1.500 0 0 1 20 6.500v11a1.500 1.500 0 0 1-1.500 1.500h-13A1.500 1.500 0 0 1 4 17.500v-11A1.500 1.500 0 0 1 5.500 5zM10 9v6l5-3z",
  filter: "M5 7h14M8 12h8m-5.500 5h3",
  folder: "M4 7.500A1.500 1.500 0 0 1 5.500 6H10l2 2.500h6.500A1.500 1.500 0 0 1 20 10v7a1.500 1.500 0 0 1-1.500 1.500h-13A1.500 1.500 0 0 1 4 17z",
  globe: "M12 4.500a7.500 7.500 0 1 0 0 15 7.500 7.500 0 0 0 0-15zM4.800 12h14.400M12 4.500c2.200 2 3.300 4.500 3.300 7.500S14.200 17.500 12 19.500c-2.200-2-3.300-4.500-3.300-7.500S9.800 6.500 12 4.500z",
  library: "M5 5h6v6H5zm8 0h6v6h-6zM5 13h6v6H5zm8 0h6v6h-6z",
  link: "M10 13.500a4 4 0 0 0 5.700.3l2.800-2.800a4 4 0 0 0-5.700-5.700l-1.300 1.300M14 10.500a4 4 0 0 0-5.700-.3L5.500 13a4 4 0 0 0 5.700 5.700l1.300-1.300",
  lock: "M7.500 10.500h9A1.500 1.500 0 0 1 18 12v6a1.500 1.500 0 0 1-1.500 1.500h-9A1.500 1.500 0 0 1 6 18v-6a1.500 1.500 0 0 1 1.500-1.500zM8.500 10.500V8a3.500 3.500 0 0 1 7 0v2.500",
  menu: "M4.500 7h15m-15 5h15m-15 5h15",
  more: "M6 12v.01M12 12v.01M18 12v.01",
  playlist: "M4.500 7h11m-11 5h7m-7 5h5M15 12.500v6l4.500-3z",
  plus: "M12 5v14M5 12h14",
  record: "M12 5a7 7 0 1 0 0 14 7 7 0 0 0 0-14zM12 9.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5z",
  search: "M10.500 5a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11zM14.700 14.700 19.500 19.500",
  settings: "M5 7.500h8m4 0h2M5 16.500h2m4 0h8M15 5.500a2 2 0 1 0 0 4 2 2 0 0 0 0-4zM9 14.500a2 2 0 1 0 0 4 2 2 0 0 0 0-4z",
  sort: "M8 5.500v13m-3-3 3 3 3-3M16 18.500v-13m-3 3 3-3 3 3",
  tag: "M4.500 5.500v6l8 8 7-7-8-8h-6zM8.500 8.700v.01",
  trash: "M5 7h14M9.500 7V5h5v2m-7.500 0 .8 12h8.400L17 7m-6.800 3.500.3 5.500m3.300-5.500-.3 5.500",
  undo: "M8.500 5 4.500 9l4 4M5 9h9a5 5 0 0 1 0 10h-4",
  upload: "M12 15V5m-4 4 4-4 4 4M5 19h14",
  user: "M12 5a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7zM5 19.500c.600-3.300 3.300-5 7-5s6.400 1.700 7 5",
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
      <path d="M7.500 17.500v-11h5a3.500 3.500 0 0 1 0 7h-5m4.500 0 4 4" fill="none" stroke="#fff" strokeWidth="2.200" strokeLinecap="round" strokeLinejoin="round" />
    </svg>
  );
}
