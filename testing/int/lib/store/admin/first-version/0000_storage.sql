-- Generated from lib/db/schema; three things Drizzle cannot say were added by hand: INCLUDE columns on three keys
-- (index-only skeleton and place look-ups) and the deferrable key from a chat to its active branch.
CREATE TABLE "account" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"user_id" text NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamp with time zone,
	"refresh_token_expires_at" timestamp with time zone,
	"scope" text,
	"password" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "session" (
	"id" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"token" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"user_id" text NOT NULL,
	CONSTRAINT "session_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "user" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"image" text,
	"is_anonymous" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "user_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "verification" (
	"id" text PRIMARY KEY NOT NULL,
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "chats" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"title" text,
	"metadata" jsonb DEFAULT '{}'::jsonb NOT NULL,
	"active_branch_id" text NOT NULL,
	"next_lane" integer DEFAULT 0 NOT NULL,
	"last_seq" bigint DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chats_id_length" CHECK (length(id) between 1 and 128)
);
--> statement-breakpoint
CREATE TABLE "events" (
	"chat_id" text NOT NULL,
	"seq" bigint NOT NULL,
	"stream_id" text NOT NULL,
	"event_number" integer NOT NULL,
	"message_id" text,
	"txid" "xid8" DEFAULT pg_current_xact_id() NOT NULL,
	"type" text NOT NULL,
	"version" integer DEFAULT 1 NOT NULL,
	"payload" jsonb NOT NULL,
	"actor" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "events_pk" PRIMARY KEY("chat_id","seq"),
	CONSTRAINT "events_number" UNIQUE("chat_id","stream_id","event_number")
);
--> statement-breakpoint
CREATE TABLE "contexts" (
	"chat_id" text NOT NULL,
	"id" text NOT NULL,
	"fragments" json NOT NULL,
	"model" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "contexts_pk" PRIMARY KEY("chat_id","id")
);
--> statement-breakpoint
CREATE TABLE "lanes" (
	"chat_id" text NOT NULL,
	"lane" integer NOT NULL,
	"parent_lane" integer,
	"base_depth" integer NOT NULL,
	"parent_depth" integer GENERATED ALWAYS AS (base_depth - 1) STORED,
	CONSTRAINT "lanes_pk" PRIMARY KEY("chat_id","lane") INCLUDE ("parent_lane","base_depth"),
	CONSTRAINT "lanes_no_cycle" CHECK (parent_lane < lane),
	CONSTRAINT "lanes_root" CHECK ((base_depth = 0) = (parent_lane is null)),
	CONSTRAINT "lanes_depth" CHECK (base_depth >= 0)
);
--> statement-breakpoint
CREATE TABLE "messages" (
	"chat_id" text NOT NULL,
	"lane" integer NOT NULL,
	"depth" integer NOT NULL,
	"id" text NOT NULL,
	"parent_id" text,
	"merge_parent_id" text,
	"copied_from_id" text,
	"name" text NOT NULL,
	"type" text,
	"status" text,
	"data" json NOT NULL,
	"preview" text NOT NULL,
	"search" "tsvector",
	"context_id" text,
	"run_id" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "messages_pk" PRIMARY KEY("chat_id","lane","depth") INCLUDE ("id","name","status","preview","created_at"),
	CONSTRAINT "messages_id" UNIQUE("chat_id","id") INCLUDE ("lane","depth"),
	CONSTRAINT "messages_depth" CHECK (depth >= 0),
	CONSTRAINT "messages_id_length" CHECK (length(id) between 1 and 128),
	CONSTRAINT "messages_name_length" CHECK (length(name) between 1 and 128),
	CONSTRAINT "messages_own_parent" CHECK (parent_id <> id),
	CONSTRAINT "messages_preview_length" CHECK (length(preview) <= 160),
	CONSTRAINT "messages_status" CHECK (status in ('stopped', 'failed'))
);
--> statement-breakpoint
CREATE TABLE "branches" (
	"chat_id" text NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	"head_lane" integer,
	"head_depth" integer,
	"parent_branch_id" text,
	"from_event_number" integer DEFAULT 0 NOT NULL,
	"context_id" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"archived_at" timestamp with time zone,
	CONSTRAINT "branches_pk" PRIMARY KEY("chat_id","id"),
	CONSTRAINT "branches_thread_id" UNIQUE("id"),
	CONSTRAINT "branches_name" UNIQUE("chat_id","name"),
	CONSTRAINT "branches_head_place" CHECK ((head_lane is null) = (head_depth is null)),
	CONSTRAINT "branches_name_length" CHECK (length(name) between 1 and 200)
);
--> statement-breakpoint
CREATE TABLE "checkpoints" (
	"chat_id" text NOT NULL,
	"id" text NOT NULL,
	"name" text NOT NULL,
	"lane" integer NOT NULL,
	"depth" integer NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "checkpoints_pk" PRIMARY KEY("chat_id","id"),
	CONSTRAINT "checkpoints_name" UNIQUE("chat_id","name"),
	CONSTRAINT "checkpoints_name_length" CHECK (length(name) between 1 and 200)
);
--> statement-breakpoint
CREATE TABLE "runs" (
	"chat_id" text NOT NULL,
	"id" text NOT NULL,
	"branch_id" text NOT NULL,
	"reply_to" text NOT NULL,
	"reply_id" text NOT NULL,
	"model" text NOT NULL,
	"context_id" text,
	"status" text NOT NULL,
	"attempt" integer DEFAULT 1 NOT NULL,
	"lease_until" timestamp with time zone,
	"fence" integer DEFAULT 0 NOT NULL,
	"error" jsonb,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "runs_pk" PRIMARY KEY("chat_id","id"),
	CONSTRAINT "runs_id" UNIQUE("id"),
	CONSTRAINT "runs_status" CHECK (status in ('queued', 'running', 'completed', 'stopped', 'failed')),
	CONSTRAINT "runs_ended" CHECK ((status in ('queued', 'running')) = (ended_at is null))
);
--> statement-breakpoint
ALTER TABLE "account" ADD CONSTRAINT "account_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "session" ADD CONSTRAINT "session_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chats" ADD CONSTRAINT "chats_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE restrict ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chats" ADD CONSTRAINT "chats_active_branch" FOREIGN KEY ("id","active_branch_id") REFERENCES "public"."branches"("chat_id","id") DEFERRABLE INITIALLY DEFERRED;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_message_of_chat" FOREIGN KEY ("chat_id","message_id") REFERENCES "public"."messages"("chat_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "contexts" ADD CONSTRAINT "contexts_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lanes" ADD CONSTRAINT "lanes_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "lanes" ADD CONSTRAINT "lanes_parent_message" FOREIGN KEY ("chat_id","parent_lane","parent_depth") REFERENCES "public"."messages"("chat_id","lane","depth") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_lane" FOREIGN KEY ("chat_id","lane") REFERENCES "public"."lanes"("chat_id","lane") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_merge_parent_message" FOREIGN KEY ("chat_id","merge_parent_id") REFERENCES "public"."messages"("chat_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_copied_from_message" FOREIGN KEY ("chat_id","copied_from_id") REFERENCES "public"."messages"("chat_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_context_of_chat" FOREIGN KEY ("chat_id","context_id") REFERENCES "public"."contexts"("chat_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "messages" ADD CONSTRAINT "messages_run_of_chat" FOREIGN KEY ("chat_id","run_id") REFERENCES "public"."runs"("chat_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "branches" ADD CONSTRAINT "branches_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "branches" ADD CONSTRAINT "branches_head_message" FOREIGN KEY ("chat_id","head_lane","head_depth") REFERENCES "public"."messages"("chat_id","lane","depth") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "branches" ADD CONSTRAINT "branches_parent_branch" FOREIGN KEY ("chat_id","parent_branch_id") REFERENCES "public"."branches"("chat_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "branches" ADD CONSTRAINT "branches_context_of_chat" FOREIGN KEY ("chat_id","context_id") REFERENCES "public"."contexts"("chat_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkpoints" ADD CONSTRAINT "checkpoints_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "checkpoints" ADD CONSTRAINT "checkpoints_at_message" FOREIGN KEY ("chat_id","lane","depth") REFERENCES "public"."messages"("chat_id","lane","depth") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_branch_of_chat" FOREIGN KEY ("chat_id","branch_id") REFERENCES "public"."branches"("chat_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "runs" ADD CONSTRAINT "runs_context_of_chat" FOREIGN KEY ("chat_id","context_id") REFERENCES "public"."contexts"("chat_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "account_user" ON "account" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "session_user" ON "session" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "verification_identifier" ON "verification" USING btree ("identifier");--> statement-breakpoint
CREATE INDEX "chats_user" ON "chats" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "events_message" ON "events" USING btree ("chat_id","message_id") WHERE "events"."message_id" is not null;--> statement-breakpoint
CREATE INDEX "lanes_parent" ON "lanes" USING btree ("chat_id","parent_lane","parent_depth");--> statement-breakpoint
CREATE INDEX "messages_search" ON "messages" USING gin ("search");--> statement-breakpoint
CREATE INDEX "messages_merge_parent" ON "messages" USING btree ("chat_id","merge_parent_id") WHERE "messages"."merge_parent_id" is not null;--> statement-breakpoint
CREATE INDEX "messages_copied_from" ON "messages" USING btree ("chat_id","copied_from_id") WHERE "messages"."copied_from_id" is not null;--> statement-breakpoint
CREATE INDEX "messages_context" ON "messages" USING btree ("chat_id","context_id") WHERE "messages"."context_id" is not null;--> statement-breakpoint
CREATE INDEX "messages_run" ON "messages" USING btree ("chat_id","run_id") WHERE "messages"."run_id" is not null;--> statement-breakpoint
CREATE INDEX "branches_head" ON "branches" USING btree ("chat_id","head_lane","head_depth");--> statement-breakpoint
CREATE INDEX "branches_parent" ON "branches" USING btree ("chat_id","parent_branch_id");--> statement-breakpoint
CREATE INDEX "branches_context" ON "branches" USING btree ("chat_id","context_id");--> statement-breakpoint
CREATE INDEX "checkpoints_message" ON "checkpoints" USING btree ("chat_id","lane","depth");--> statement-breakpoint
CREATE UNIQUE INDEX "runs_one_live_per_branch" ON "runs" USING btree ("chat_id","branch_id") WHERE status in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "runs_branch" ON "runs" USING btree ("chat_id","branch_id");--> statement-breakpoint
CREATE INDEX "runs_live" ON "runs" USING btree ("lease_until") WHERE status in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "runs_context" ON "runs" USING btree ("chat_id","context_id");