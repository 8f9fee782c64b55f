CREATE TABLE "chat_defaults" (
	"user_id" text PRIMARY KEY NOT NULL,
	"instructions" text DEFAULT '' NOT NULL,
	"model" text,
	"tools" json DEFAULT '{}'::json NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chat_defaults_lengths" CHECK (length(instructions) <= 20000 and length(model) <= 300 and length(tools::text) <= 20000)
);
--> statement-breakpoint
ALTER TABLE "chat_defaults" ADD CONSTRAINT "chat_defaults_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;