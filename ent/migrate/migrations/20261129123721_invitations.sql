-- Modify "users" table
ALTER TABLE "users" ADD COLUMN "unproved_in" character varying NOT NULL DEFAULT '';
-- Modify "workspaces" table
ALTER TABLE "workspaces" ADD COLUMN "command_name" character varying NOT NULL DEFAULT '';
-- Create "invitations" table
CREATE TABLE "invitations" ("id" character varying NOT NULL, "created_at" timestamptz NOT NULL, "updated_at" timestamptz NOT NULL, "email" character varying NOT NULL, "address" character varying NOT NULL, "role" character varying NOT NULL DEFAULT 'member', "token_hash" bytea NULL, "mailed" boolean NOT NULL DEFAULT false, "expires_at" timestamptz NOT NULL, "inviter_id" character varying NULL, "workspace_id" character varying NOT NULL, PRIMARY KEY ("id"), CONSTRAINT "invitations_users_invitations" FOREIGN KEY ("inviter_id") REFERENCES "users" ("id") ON UPDATE NO ACTION ON DELETE CASCADE, CONSTRAINT "invitations_workspaces_invitations" FOREIGN KEY ("workspace_id") REFERENCES "workspaces" ("id") ON UPDATE NO ACTION ON DELETE CASCADE);
-- Create index "invitation_email" to table: "invitations"
CREATE INDEX "invitation_email" ON "invitations" ("email");
-- Create index "invitation_inviter_id" to table: "invitations"
CREATE INDEX "invitation_inviter_id" ON "invitations" ("inviter_id");
-- Create index "invitation_workspace_id_email" to table: "invitations"
CREATE UNIQUE INDEX "invitation_workspace_id_email" ON "invitations" ("workspace_id", "email");
-- Create index "invitations_token_hash_key" to table: "invitations"
CREATE UNIQUE INDEX "invitations_token_hash_key" ON "invitations" ("token_hash");
-- The demo made its workspace by a command.
UPDATE "workspaces" w SET "command_name" = w."name" WHERE w."name" = 'Reelgraph demo' AND EXISTS (
  SELECT FROM "memberships" m JOIN "users" u ON u."id" = m."user_id" WHERE m."workspace_id" = w."id" AND u."email" = 'demo@localhost' AND m."role" = 'owner');
-- Links that reset a password. Each is for an address, whether or not anybody has it. The token's hash is null until a mail is written.
CREATE TABLE "password_resets" ("id" text NOT NULL, "email" text NOT NULL, "token_hash" bytea NULL, "expires_at" timestamptz NOT NULL, PRIMARY KEY ("id"));
CREATE UNIQUE INDEX "password_resets_token_hash_key" ON "password_resets" ("token_hash");
CREATE INDEX "password_resets_email" ON "password_resets" ("email");
-- Mails with links of the last hour, by address (its hash) and by workspace. A reset that was asked for an address that nobody has counts for the address.
CREATE TABLE "link_mails" ("subject" text NOT NULL, "sent_at" timestamptz NOT NULL DEFAULT now());
CREATE INDEX "link_mails_subject_sent_at" ON "link_mails" ("subject", "sent_at");
-- A membership of a person who has neither a key nor a session there becomes an invitation. A workspace keeps its oldest owner when it would be left without any.
WITH idle AS (
  SELECT m.id FROM memberships m
  WHERE NOT EXISTS (SELECT FROM api_keys k WHERE k.workspace_id = m.workspace_id AND k.user_id = m.user_id AND k.revoked_at IS NULL)
    AND NOT EXISTS (SELECT FROM sessions s WHERE s.workspace_id = m.workspace_id AND s.user_id = m.user_id AND s.expires_at > now())
), kept AS (
  SELECT DISTINCT ON (m.workspace_id) m.id FROM memberships m
  WHERE m.role = 'owner' AND NOT EXISTS (
    SELECT FROM memberships o WHERE o.workspace_id = m.workspace_id AND o.role = 'owner' AND o.id NOT IN (SELECT id FROM idle))
  ORDER BY m.workspace_id, m.created_at, m.id
), gone AS (
  DELETE FROM memberships WHERE id IN (SELECT id FROM idle) AND id NOT IN (SELECT id FROM kept) RETURNING *
)
INSERT INTO invitations (id, created_at, updated_at, email, address, role, expires_at, inviter_id, workspace_id)
SELECT 'inv_01' || left(md5(gen_random_uuid()::text), 24), date_trunc('milliseconds', now()), date_trunc('milliseconds', now()),
  u.email, u.email, g.role, date_trunc('milliseconds', now() + interval '7 days'),
  (SELECT o.user_id FROM memberships o WHERE o.workspace_id = g.workspace_id AND o.role = 'owner' AND o.id NOT IN (SELECT id FROM gone)
    ORDER BY o.created_at, o.id LIMIT 1),
  g.workspace_id
FROM gone g JOIN users u ON u.id = g.user_id;
