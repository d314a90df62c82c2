import type { Role } from "./made/graphql";

/** The roles, and what they may do. */
export const roles: readonly { value: Role; label: string; about: string }[] = [
  { value: "VIEWER", label: "Viewer", about: "Watches and comments." },
  { value: "MEMBER", label: "Member", about: "Makes videos, and changes their own." },
  { value: "ADMIN", label: "Admin", about: "Also changes what others made, and invites people." },
  { value: "OWNER", label: "Owner", about: "May do everything." },
];

export const roleName = (role: Role): string => roles.find(({ value }) => value === role)?.label ?? role;

/** rolesFor returns the roles that a person may give. Only owners make owners. */
export const rolesFor = (own: Role) => roles.filter(({ value }) => value !== "OWNER" || own === "OWNER");
