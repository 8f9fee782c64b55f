CREATE TABLE "provider_keys" (
	"user_id" text NOT NULL,
	"provider" text NOT NULL,
	"sealed" text NOT NULL,
	"hint" text NOT NULL,
	"base_url" text,
	"models" json NOT NULL,
	"saved_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "provider_keys_pk" PRIMARY KEY("user_id","provider"),
	CONSTRAINT "provider_keys_lengths" CHECK (length(sealed) <= 2000 and length(hint) <= 8 and length(base_url) <= 500)
);
--> statement-breakpoint
ALTER TABLE "provider_keys" ADD CONSTRAINT "provider_keys_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;