CREATE TABLE "chat_files" (
	"chat_id" text NOT NULL,
	"file_id" text NOT NULL,
	CONSTRAINT "chat_files_pk" PRIMARY KEY("chat_id","file_id")
);
--> statement-breakpoint
CREATE TABLE "file_chunks" (
	"file_id" text NOT NULL,
	"number" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "file_chunks_pk" PRIMARY KEY("file_id","number")
);
--> statement-breakpoint
CREATE TABLE "files" (
	"id" text PRIMARY KEY NOT NULL,
	"owner_id" text NOT NULL,
	"sha256" text NOT NULL,
	"media_type" text NOT NULL,
	"name" text NOT NULL,
	"size" integer NOT NULL,
	"is_whole" boolean DEFAULT false NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"uploaded_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "files_size" CHECK (size > 0),
	CONSTRAINT "files_lengths" CHECK (length(name) between 1 and 255 and length(media_type) between 3 and 100),
	CONSTRAINT "files_sha256" CHECK (sha256 ~ '^[0-9a-f]{64}$')
);
--> statement-breakpoint
ALTER TABLE "chat_files" ADD CONSTRAINT "chat_files_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "chat_files" ADD CONSTRAINT "chat_files_of_file" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "file_chunks" ADD CONSTRAINT "file_chunks_file_id_files_id_fk" FOREIGN KEY ("file_id") REFERENCES "public"."files"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "files" ADD CONSTRAINT "files_owner_id_user_id_fk" FOREIGN KEY ("owner_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "chat_files_file" ON "chat_files" USING btree ("file_id");--> statement-breakpoint
CREATE INDEX "files_content" ON "files" USING btree ("owner_id","sha256");--> statement-breakpoint
CREATE INDEX "files_uploaded" ON "files" USING btree ("uploaded_at");--> statement-breakpoint
-- pictures and PDFs are compressed already: compressing them again is time lost
ALTER TABLE "file_chunks" ALTER COLUMN "bytes" SET STORAGE EXTERNAL;
