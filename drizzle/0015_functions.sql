-- Which functions of lib/db/functions are in force (lib/db/apply-functions.ts).
CREATE TABLE "sql_functions" (
	"name" text PRIMARY KEY NOT NULL,
	"hash" text NOT NULL
);
--> statement-breakpoint
-- Functions that earlier migrations made and lib/db/functions does not define: the first application drops them.
INSERT INTO "sql_functions" ("name", "hash") VALUES ('index_search_some', ''), ('chat_event_number', ''),
	('commit_aliased', ''), ('run_command_within_quota', '');
