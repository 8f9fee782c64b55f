CREATE TABLE "agent_branches" (
	"chat_id" text NOT NULL,
	"branch_id" text NOT NULL,
	"message_id" text NOT NULL,
	"client" text,
	"key_id" text,
	"called_at" timestamp with time zone NOT NULL,
	CONSTRAINT "agent_branches_pk" PRIMARY KEY("chat_id","branch_id")
);
--> statement-breakpoint
ALTER TABLE "agent_steers" ALTER COLUMN "target_id" DROP NOT NULL;--> statement-breakpoint
ALTER TABLE "agent_steers" ADD COLUMN "followed_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "agent_branches" ADD CONSTRAINT "agent_branches_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_branches" ADD CONSTRAINT "agent_branches_branch" FOREIGN KEY ("chat_id","branch_id") REFERENCES "public"."branches"("chat_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
DELETE FROM "agent_steers";--> statement-breakpoint
INSERT INTO "agent_branches" ("chat_id", "branch_id", "message_id", "called_at")
SELECT DISTINCT ON (e."chat_id", e."stream_id") e."chat_id", e."stream_id", e."message_id", e."created_at"
FROM "agent_nodes" a JOIN "events" e ON e."chat_id" = a."chat_id" AND e."message_id" = a."message_id"
ORDER BY e."chat_id", e."stream_id", e."event_number" DESC;
