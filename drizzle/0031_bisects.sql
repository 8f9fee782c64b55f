CREATE TABLE "bisects" (
	"chat_id" text NOT NULL,
	"id" text NOT NULL,
	"reply_id" text NOT NULL,
	"question_id" text NOT NULL,
	"turns" json NOT NULL,
	"judge" jsonb NOT NULL,
	"low" integer NOT NULL,
	"high" integer NOT NULL,
	"probe" integer,
	"is_without" boolean DEFAULT false NOT NULL,
	"branch_id" text,
	"asked_id" text,
	"runs" integer DEFAULT 0 NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"found_id" text,
	"confirmed" boolean,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "bisects_pk" PRIMARY KEY("chat_id","id"),
	CONSTRAINT "bisects_status" CHECK (status in ('running', 'waiting', 'paused', 'done', 'stopped')),
	CONSTRAINT "bisects_ended" CHECK ((status in ('done', 'stopped')) = (ended_at is not null))
);
--> statement-breakpoint
ALTER TABLE "bisects" ADD CONSTRAINT "bisects_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bisects" ADD CONSTRAINT "bisects_branch_of_chat" FOREIGN KEY ("chat_id","branch_id") REFERENCES "public"."branches"("chat_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "bisects" ADD CONSTRAINT "bisects_reply_message" FOREIGN KEY ("chat_id","reply_id") REFERENCES "public"."messages"("chat_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "bisects_branch" ON "bisects" USING btree ("chat_id","branch_id");--> statement-breakpoint
CREATE INDEX "bisects_reply" ON "bisects" USING btree ("chat_id","reply_id");--> statement-breakpoint
CREATE INDEX "bisects_running" ON "bisects" USING btree ("created_at") WHERE status = 'running';