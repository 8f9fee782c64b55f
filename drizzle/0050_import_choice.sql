ALTER TABLE "imports" ADD COLUMN "chats_left" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "imports" ADD COLUMN "choice" json;