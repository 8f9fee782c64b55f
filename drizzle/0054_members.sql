CREATE TABLE "chat_members" (
	"chat_id" text NOT NULL,
	"id" text NOT NULL,
	"role" text NOT NULL,
	"person_id" text,
	"joined_at" timestamp with time zone,
	"token_hash" text,
	"email" text,
	"expires_at" timestamp with time zone,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "chat_members_pk" PRIMARY KEY("chat_id","id"),
	CONSTRAINT "chat_members_role" CHECK (role in ('reads', 'proposes')),
	CONSTRAINT "chat_members_email" CHECK (length(email) between 1 and 320),
	CONSTRAINT "chat_members_taken" CHECK (case when person_id is null then joined_at is null and token_hash ~ '^[0-9a-f]{64}$' and expires_at is not null
        else joined_at is not null and token_hash is null and email is null and expires_at is null end)
);
--> statement-breakpoint
ALTER TABLE "chat_members" ADD CONSTRAINT "chat_members_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_members" ADD CONSTRAINT "chat_members_person_id_user_id_fk" FOREIGN KEY ("person_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE UNIQUE INDEX "chat_members_id" ON "chat_members" USING btree ("id");--> statement-breakpoint
CREATE UNIQUE INDEX "chat_members_person" ON "chat_members" USING btree ("person_id","chat_id");--> statement-breakpoint
CREATE UNIQUE INDEX "chat_members_token" ON "chat_members" USING btree ("token_hash");