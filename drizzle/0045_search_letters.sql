-- Texts are found by other words from now on: parts of names and of sentences without spaces, and letters without their marks.
-- What was indexed is forgotten; a search indexes the chats that it reads, the latest used first, as much at a time as for new messages.
TRUNCATE "message_search";--> statement-breakpoint
TRUNCATE "search_progress";
