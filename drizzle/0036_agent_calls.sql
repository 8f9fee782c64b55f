CREATE TABLE "agent_nodes" (
	"owner_id" text NOT NULL,
	"hash" "bytea" NOT NULL,
	"chat_id" text NOT NULL,
	"message_id" text NOT NULL,
	"chain" "bytea",
	"moved" boolean DEFAULT false NOT NULL,
	CONSTRAINT "agent_nodes_pk" PRIMARY KEY("owner_id","hash")
);
--> statement-breakpoint
ALTER TABLE "agent_nodes" ADD CONSTRAINT "agent_nodes_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "agent_nodes" ADD CONSTRAINT "agent_nodes_of_message" FOREIGN KEY ("chat_id","message_id") REFERENCES "public"."messages"("chat_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "agent_nodes_message" ON "agent_nodes" USING btree ("chat_id","message_id");