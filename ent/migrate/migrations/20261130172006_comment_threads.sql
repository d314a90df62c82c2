-- Modify "comments" table
ALTER TABLE "comments" ADD COLUMN "edited_at" timestamptz NULL, ADD COLUMN "resolved_at" timestamptz NULL, ADD COLUMN "resolved_by_id" character varying NULL, ADD COLUMN "resolved_by" character varying NULL, ADD COLUMN "reply_to_id" character varying NULL, ADD CONSTRAINT "comments_comments_replies" FOREIGN KEY ("reply_to_id") REFERENCES "comments" ("id") ON UPDATE NO ACTION ON DELETE CASCADE;
-- Create index "comment_reply_to_id" to table: "comments"
CREATE INDEX "comment_reply_to_id" ON "comments" ("reply_to_id");
