-- What the keys alone cannot promise: nothing that was said is ever changed, removed or misplaced.

ALTER TABLE chats SET (fillfactor = 70);
--> statement-breakpoint
ALTER TABLE branches SET (fillfactor = 70);
--> statement-breakpoint
ALTER TABLE runs SET (fillfactor = 70);
--> statement-breakpoint
-- a body stays with its row (a chain is read in one go), and what search needs moves out of its way; a tsvector does
-- not compress, so trying would only cost time
ALTER TABLE messages ALTER COLUMN data SET STORAGE MAIN, ALTER COLUMN search SET STORAGE EXTERNAL;
--> statement-breakpoint
-- keeps the visibility map fresh, so that the graph's skeleton is read from the index alone
ALTER TABLE messages SET (autovacuum_vacuum_insert_scale_factor = 0.02);
