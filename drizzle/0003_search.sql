CREATE TABLE "message_search" (
	"chat_id" text NOT NULL,
	"lane" integer NOT NULL,
	"depth" integer NOT NULL,
	"words" "tsvector" NOT NULL,
	CONSTRAINT "message_search_pk" PRIMARY KEY("chat_id","lane","depth")
);
--> statement-breakpoint
CREATE TABLE "search_progress" (
	"chat_id" text PRIMARY KEY NOT NULL,
	"seq" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
DROP INDEX "messages_search";--> statement-breakpoint
ALTER TABLE "message_search" ADD CONSTRAINT "message_search_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_search" ADD CONSTRAINT "message_search_of_message" FOREIGN KEY ("chat_id","lane","depth") REFERENCES "public"."messages"("chat_id","lane","depth") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "search_progress" ADD CONSTRAINT "search_progress_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "message_search_words" ON "message_search" USING gin ("words");--> statement-breakpoint
ALTER TABLE "messages" DROP COLUMN "search";
