-- Ids that clients choose are their owner's own: of a chat, and of its first branch. `chats.id` stays the key that everything
-- in a chat refers to; `alias` is what the owner calls the chat where another person's chat has that key.

ALTER TABLE "chats" ADD COLUMN "alias" text;
--> statement-breakpoint
ALTER TABLE "chats" ADD CONSTRAINT "chats_alias_length" CHECK (length("alias") between 1 and 128);
--> statement-breakpoint
CREATE UNIQUE INDEX "chats_public_id" ON "chats" USING btree ("user_id", coalesce("alias", "id"));
--> statement-breakpoint
DROP INDEX "chats_user";
--> statement-breakpoint
-- other people's branches may have the same id
ALTER TABLE "branches" DROP CONSTRAINT "branches_thread_id";
--> statement-breakpoint
CREATE INDEX "branches_thread" ON "branches" USING btree ("id");
