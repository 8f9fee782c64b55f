CREATE TABLE "agent_steers" (
	"chat_id" text NOT NULL,
	"branch_id" text NOT NULL,
	"target_id" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "agent_steers_pk" PRIMARY KEY("chat_id","branch_id")
);
--> statement-breakpoint
ALTER TABLE "agent_steers" ADD CONSTRAINT "agent_steers_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_steers" ADD CONSTRAINT "agent_steers_branch" FOREIGN KEY ("chat_id","branch_id") REFERENCES "public"."branches"("chat_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_steers" ADD CONSTRAINT "agent_steers_target_branch" FOREIGN KEY ("chat_id","target_id") REFERENCES "public"."branches"("chat_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agent_steers_target" ON "agent_steers" USING btree ("chat_id","target_id");