CREATE TABLE "import_pieces" (
	"import_id" text NOT NULL,
	"number" integer NOT NULL,
	"bytes" "bytea" NOT NULL,
	CONSTRAINT "import_pieces_pk" PRIMARY KEY("import_id","number")
);
--> statement-breakpoint
CREATE TABLE "imports" (
	"id" text PRIMARY KEY NOT NULL,
	"user_id" text NOT NULL,
	"name" text NOT NULL,
	"size" bigint NOT NULL,
	"source" text NOT NULL,
	"status" text NOT NULL,
	"reason" text,
	"place" integer DEFAULT 0 NOT NULL,
	"chats_imported" bigint DEFAULT 0 NOT NULL,
	"chats_unchanged" bigint DEFAULT 0 NOT NULL,
	"messages_found" bigint DEFAULT 0 NOT NULL,
	"messages_imported" bigint DEFAULT 0 NOT NULL,
	"messages_skipped" bigint DEFAULT 0 NOT NULL,
	"problems" json DEFAULT '[]' NOT NULL,
	"problem_count" integer DEFAULT 0 NOT NULL,
	"chats" json DEFAULT '[]' NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"lease_until" timestamp with time zone,
	"fence" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	"ended_at" timestamp with time zone,
	CONSTRAINT "imports_status" CHECK (status in ('uploading', 'queued', 'running', 'done', 'cancelled', 'failed')),
	CONSTRAINT "imports_ended" CHECK ((status in ('uploading', 'queued', 'running')) = (ended_at is null)),
	CONSTRAINT "imports_name_length" CHECK (length(name) between 1 and 255)
);
--> statement-breakpoint
ALTER TABLE "import_pieces" ADD CONSTRAINT "import_pieces_import_id_imports_id_fk" FOREIGN KEY ("import_id") REFERENCES "public"."imports"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "imports" ADD CONSTRAINT "imports_user_id_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "imports_user" ON "imports" USING btree ("user_id","created_at");--> statement-breakpoint
CREATE INDEX "imports_open" ON "imports" USING btree ("created_at") WHERE ended_at is null;--> statement-breakpoint
CREATE INDEX "chats_imported" ON "chats" USING btree ("user_id",("metadata" #>> '{imported,id}')) WHERE "chats"."metadata" ? 'imported';