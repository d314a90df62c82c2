/** classes joins the names of classes that apply. */
export const classes = (...names: (string | false | null | undefined)[]): string => names.filter(Boolean).join(" ");
