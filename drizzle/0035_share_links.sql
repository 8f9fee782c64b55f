CREATE TABLE "share_links" (
	"chat_id" text NOT NULL,
	"id" text NOT NULL,
	"token_hash" text NOT NULL,
	"branch_id" text NOT NULL,
	"message_id" text NOT NULL,
	"seq" bigint NOT NULL,
	"with_graph" boolean NOT NULL,
	"follows" boolean NOT NULL,
	"indexed" boolean DEFAULT false NOT NULL,
	"shared_by" text,
	"expires_at" timestamp with time zone,
	"views" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "share_links_pk" PRIMARY KEY("chat_id","id"),
	CONSTRAINT "share_links_token_hash" CHECK (token_hash ~ '^[0-9a-f]{64}$'),
	CONSTRAINT "share_links_shared_by" CHECK (length(shared_by) between 1 and 100)
);
--> statement-breakpoint
ALTER TABLE "share_links" ADD CONSTRAINT "share_links_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "share_links" ADD CONSTRAINT "share_links_branch_of_chat" FOREIGN KEY ("chat_id","branch_id") REFERENCES "public"."branches"("chat_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "share_links" ADD CONSTRAINT "share_links_at_message" FOREIGN KEY ("chat_id","message_id") REFERENCES "public"."messages"("chat_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "share_links_id" ON "share_links" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "share_links_token" ON "share_links" USING btree ("token_hash");--> statement-breakpoint
CREATE INDEX "share_links_branch" ON "share_links" USING btree ("chat_id","branch_id");--> statement-breakpoint
CREATE INDEX "share_links_message" ON "share_links" USING btree ("chat_id","message_id");