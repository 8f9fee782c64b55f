CREATE TABLE "tool_servers" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"url" text NOT NULL,
	"sealed" text,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "tool_servers_lengths" CHECK (length(name) between 1 and 32 and length(url) between 1 and 500 and length(sealed) <= 8000)
);
--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "answers" jsonb;--> statement-breakpoint
ALTER TABLE "tool_servers" ADD CONSTRAINT "tool_servers_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "tool_servers_name" ON "tool_servers" USING btree ("user_id",lower("name"));