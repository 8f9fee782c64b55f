CREATE TABLE "replays" (
	"chat_id" text NOT NULL,
	"id" text NOT NULL,
	"branch_id" text NOT NULL,
	"first_branch_id" text NOT NULL,
	"source_branch_id" text NOT NULL,
	"questions" json NOT NULL,
	"asked" integer DEFAULT 0 NOT NULL,
	"last_id" text,
	"content" text,
	"model" text,
	"context_id" text NOT NULL,
	"anyway" boolean DEFAULT false NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"version" integer DEFAULT 1 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "replays_pk" PRIMARY KEY("chat_id","id"),
	CONSTRAINT "replays_status" CHECK (status in ('running', 'paused', 'done', 'stopped')),
	CONSTRAINT "replays_ended" CHECK ((status in ('running', 'paused')) = (ended_at is null)),
	CONSTRAINT "replays_last_asked" CHECK ((asked = 0) = (last_id is null))
);
--> statement-breakpoint
ALTER TABLE "replays" ADD CONSTRAINT "replays_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "replays" ADD CONSTRAINT "replays_branch_of_chat" FOREIGN KEY ("chat_id","branch_id") REFERENCES "public"."branches"("chat_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "replays" ADD CONSTRAINT "replays_first_branch_of_chat" FOREIGN KEY ("chat_id","first_branch_id") REFERENCES "public"."branches"("chat_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "replays" ADD CONSTRAINT "replays_source_branch_of_chat" FOREIGN KEY ("chat_id","source_branch_id") REFERENCES "public"."branches"("chat_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "replays" ADD CONSTRAINT "replays_last_message" FOREIGN KEY ("chat_id","last_id") REFERENCES "public"."messages"("chat_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "replays" ADD CONSTRAINT "replays_context_of_chat" FOREIGN KEY ("chat_id","context_id") REFERENCES "public"."contexts"("chat_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "replays_branch" ON "replays" USING btree ("chat_id","branch_id");--> statement-breakpoint
CREATE INDEX "replays_first_branch" ON "replays" USING btree ("chat_id","first_branch_id");--> statement-breakpoint
CREATE INDEX "replays_source_branch" ON "replays" USING btree ("chat_id","source_branch_id");--> statement-breakpoint
CREATE INDEX "replays_last" ON "replays" USING btree ("chat_id","last_id");--> statement-breakpoint
CREATE INDEX "replays_context" ON "replays" USING btree ("chat_id","context_id");--> statement-breakpoint
CREATE INDEX "replays_running" ON "replays" USING btree ("created_at") WHERE status = 'running';