-- What a window had counted before the last statement: how many of the requests it counted at once had room.
ALTER TABLE "rate_windows" ADD COLUMN "before" integer NOT NULL DEFAULT 0;
