ALTER TABLE "summaries" ADD COLUMN "left_out" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "summaries" DROP CONSTRAINT "summaries_pk";
--> statement-breakpoint
ALTER TABLE "summaries" ADD CONSTRAINT "summaries_pk" PRIMARY KEY("chat_id","message_id","left_out");