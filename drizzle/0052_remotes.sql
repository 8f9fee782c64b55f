CREATE TABLE "remote_refs" (
	"chat_id" text NOT NULL,
	"remote_id" text NOT NULL,
	"kind" text NOT NULL,
	"name" text NOT NULL,
	"message_id" text,
	"seen_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "remote_refs_pk" PRIMARY KEY("chat_id","remote_id","kind","name"),
	CONSTRAINT "remote_refs_kind" CHECK (kind in ('branch', 'checkpoint')),
	CONSTRAINT "remote_refs_name_length" CHECK (length(name) between 1 and 200)
);
--> statement-breakpoint
CREATE TABLE "remotes" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"sealed" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "remotes_lengths" CHECK (length(name) between 1 and 32 and length(url) between 1 and 500 and length(sealed) <= 8000)
);
--> statement-breakpoint
ALTER TABLE "chats" ADD COLUMN "origin" uuid DEFAULT gen_random_uuid() NOT NULL;--> statement-breakpoint
ALTER TABLE "remote_refs" ADD CONSTRAINT "remote_refs_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "remote_refs" ADD CONSTRAINT "remote_refs_remote_id_remotes_id_fk" FOREIGN KEY ("remote_id") REFERENCES "public"."remotes"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "remote_refs" ADD CONSTRAINT "remote_refs_at_message" FOREIGN KEY ("chat_id","message_id") REFERENCES "public"."messages"("chat_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "remotes" ADD CONSTRAINT "remotes_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "remote_refs_remote" ON "remote_refs" USING btree ("remote_id");--> statement-breakpoint
CREATE INDEX "remote_refs_message" ON "remote_refs" USING btree ("chat_id","message_id");--> statement-breakpoint
CREATE UNIQUE INDEX "remotes_name" ON "remotes" USING btree ("user_id",lower("name"));