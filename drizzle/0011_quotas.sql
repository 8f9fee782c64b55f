-- What persons, network addresses and the whole site have used, counted in the transaction that uses it.

-- What many share, on one UTC day: spread over rows (`stripe`), so that they do not wait for each other. It is their sum.
CREATE TABLE "quota_use" (
	"scope" text NOT NULL,
	"key" text NOT NULL,
	"day" date NOT NULL,
	"stripe" integer DEFAULT 0 NOT NULL,
	"messages" integer DEFAULT 0 NOT NULL,
	"calls" integer DEFAULT 0 NOT NULL,
	"tokens" bigint DEFAULT 0 NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"chats" integer DEFAULT 0 NOT NULL,
	"guests" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "quota_use_pk" PRIMARY KEY("scope","key","day","stripe"),
	CONSTRAINT "quota_use_scope" CHECK (scope in ('address', 'site'))
) WITH (fillfactor = 50);
--> statement-breakpoint
CREATE INDEX "quota_use_day" ON "quota_use" USING btree ("day");
--> statement-breakpoint
-- A person's: what is stored, and what was used on the last day there was any. Where the stored bytes are not counted yet it
-- is null, and the next write that counts works it out under the lock of this row.
CREATE TABLE "quota_person" (
	"user_id" text PRIMARY KEY NOT NULL REFERENCES "public"."user"("id") ON DELETE cascade,
	"bytes" bigint,
	"chats" integer,
	"day" date,
	"messages" integer DEFAULT 0 NOT NULL,
	"calls" integer DEFAULT 0 NOT NULL,
	"tokens" bigint DEFAULT 0 NOT NULL
) WITH (fillfactor = 50);
--> statement-breakpoint
-- How far a sweep through a large table has come.
CREATE TABLE "sweeps" (
	"name" text PRIMARY KEY NOT NULL,
	"place" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
INSERT INTO "sweeps" ("name") VALUES ('guests');
--> statement-breakpoint
CREATE INDEX "session_expires" ON "session" USING btree ("expires_at");
--> statement-breakpoint
CREATE INDEX "user_guests" ON "user" USING btree ("id") WHERE is_anonymous;
