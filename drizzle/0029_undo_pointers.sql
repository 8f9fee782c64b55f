ALTER TABLE "chats" ADD COLUMN "undo_seq" bigint;--> statement-breakpoint
ALTER TABLE "chats" ADD COLUMN "redo_seq" bigint;