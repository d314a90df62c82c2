-- The workspace in which a person's ended sessions were used last: the next session opens there. Nothing refers to a row, so that whatever takes a session away may go first.
CREATE TABLE "last_workspaces" ("user_id" text NOT NULL, "workspace_id" text NOT NULL, "used_at" timestamptz NOT NULL, PRIMARY KEY ("user_id"));
CREATE FUNCTION remember_workspace() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO last_workspaces AS l (user_id, workspace_id, used_at) VALUES (OLD.user_id, OLD.workspace_id, OLD.last_seen_at)
  ON CONFLICT (user_id) DO UPDATE SET workspace_id = excluded.workspace_id, used_at = excluded.used_at WHERE excluded.used_at >= l.used_at;
  RETURN NULL;
END $$;
CREATE TRIGGER sessions_remember AFTER DELETE ON sessions FOR EACH ROW EXECUTE FUNCTION remember_workspace();
