-- A search reads the words of one person's chats, without an index of everybody's words. Generated, but for the last statement:
-- without a key, a publication of the table has to be told by what a deleted row is known.
ALTER TABLE "message_search" DROP CONSTRAINT "message_search_of_message";
--> statement-breakpoint
DROP INDEX "message_search_words";--> statement-breakpoint
ALTER TABLE "message_search" DROP CONSTRAINT "message_search_pk";--> statement-breakpoint
CREATE INDEX "message_search_chat" ON "message_search" USING btree ("chat_id");--> statement-breakpoint
ALTER TABLE "message_search" REPLICA IDENTITY FULL;
