CREATE TABLE "context_presets" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"content" json NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "context_presets_name_length" CHECK (length(name) between 1 and 100),
	CONSTRAINT "context_presets_content" CHECK (length(content::text) <= 400000)
);
--> statement-breakpoint
ALTER TABLE "context_presets" ADD CONSTRAINT "context_presets_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "context_presets_user" ON "context_presets" USING btree ("user_id");