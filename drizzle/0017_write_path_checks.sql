-- The limits move into triggers (functions/guards), and the index of heads knows their lanes only: the write path of a turn.
ALTER TABLE "branches" DROP CONSTRAINT "branches_name_length";--> statement-breakpoint
ALTER TABLE "chats" DROP CONSTRAINT "chats_id_length";--> statement-breakpoint
ALTER TABLE "chats" DROP CONSTRAINT "chats_alias_length";--> statement-breakpoint
ALTER TABLE "messages" DROP CONSTRAINT "messages_depth";--> statement-breakpoint
ALTER TABLE "messages" DROP CONSTRAINT "messages_id_length";--> statement-breakpoint
ALTER TABLE "messages" DROP CONSTRAINT "messages_name_length";--> statement-breakpoint
ALTER TABLE "messages" DROP CONSTRAINT "messages_own_parent";--> statement-breakpoint
ALTER TABLE "messages" DROP CONSTRAINT "messages_preview_length";--> statement-breakpoint
ALTER TABLE "messages" DROP CONSTRAINT "messages_status";--> statement-breakpoint
DROP INDEX "branches_head";--> statement-breakpoint
CREATE INDEX "branches_head" ON "branches" USING btree ("chat_id","head_lane");