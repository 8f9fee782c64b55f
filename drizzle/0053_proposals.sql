CREATE TABLE "proposal_comments" (
	"chat_id" text NOT NULL,
	"id" text NOT NULL,
	"proposal_id" text NOT NULL,
	"said_by" text NOT NULL,
	"message_id" text,
	"source_message_id" text,
	"words" text NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "proposal_comments_pk" PRIMARY KEY("chat_id","id"),
	CONSTRAINT "proposal_comments_said_by" CHECK (said_by in ('owner', 'author')),
	CONSTRAINT "proposal_comments_length" CHECK (length(words) between 1 and 10000)
);
--> statement-breakpoint
CREATE TABLE "proposals" (
	"chat_id" text NOT NULL,
	"id" text NOT NULL,
	"number" integer NOT NULL,
	"author_id" text NOT NULL,
	"author_name" text NOT NULL,
	"source_chat_id" text,
	"source_branch_id" text NOT NULL,
	"source_head_id" text NOT NULL,
	"title" text NOT NULL,
	"words" text NOT NULL,
	"branch_id" text NOT NULL,
	"base_message_id" text NOT NULL,
	"head_message_id" text NOT NULL,
	"messages" integer NOT NULL,
	"state" text DEFAULT 'open' NOT NULL,
	"claimed_at" timestamp with time zone,
	"taken_seq" bigint,
	"taken_as" text,
	"answer" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "proposals_pk" PRIMARY KEY("chat_id","id"),
	CONSTRAINT "proposals_state" CHECK (state in ('open', 'taken', 'declined')),
	CONSTRAINT "proposals_taken_as" CHECK (taken_as in ('brief', 'turns', 'context', 'messages')),
	CONSTRAINT "proposals_lengths" CHECK (length(author_name) between 1 and 100 and length(title) between 1 and 200 and length(words) <= 10000 and length(answer) <= 10000)
);
--> statement-breakpoint
ALTER TABLE "proposal_comments" ADD CONSTRAINT "proposal_comments_of_proposal" FOREIGN KEY ("chat_id","proposal_id") REFERENCES "public"."proposals"("chat_id","id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_author_id_user_id_fk" FOREIGN KEY ("author_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_source_chat_id_chats_id_fk" FOREIGN KEY ("source_chat_id") REFERENCES "public"."chats"("id") ON DELETE set null ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "proposals" ADD CONSTRAINT "proposals_branch_of_chat" FOREIGN KEY ("chat_id","branch_id") REFERENCES "public"."branches"("chat_id","id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "proposal_comments_of" ON "proposal_comments" USING btree ("chat_id","proposal_id");--> statement-breakpoint
CREATE UNIQUE INDEX "proposals_id" ON "proposals" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "proposals_number" ON "proposals" USING btree ("chat_id","number");--> statement-breakpoint
CREATE INDEX "proposals_author" ON "proposals" USING btree ("author_id","created_at");--> statement-breakpoint
CREATE INDEX "proposals_source" ON "proposals" USING btree ("source_chat_id");--> statement-breakpoint
CREATE INDEX "proposals_branch" ON "proposals" USING btree ("chat_id","branch_id");