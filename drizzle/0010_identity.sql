ALTER TABLE "api_keys" ADD COLUMN "scopes" text DEFAULT 'read write' NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "expires_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "addresses" text[] DEFAULT '{}' NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_scopes" CHECK ("api_keys"."scopes" in ('read', 'write', 'read write'));--> statement-breakpoint
CREATE INDEX "api_keys_expiry" ON "api_keys" USING btree ("expires_at") WHERE "expires_at" is not null;--> statement-breakpoint
CREATE TABLE "attempts" (
	"key" text PRIMARY KEY NOT NULL,
	"count" integer NOT NULL,
	"until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "attempts_until" ON "attempts" USING btree ("until");--> statement-breakpoint
-- Sessions last 30 days instead of 365. Those of before are due for renewal at once: that gives their browsers the cookie
-- of the new name, and until then they alone are known by the former one.
ALTER TABLE "session" ADD COLUMN "former_cookie" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE "session" SET "former_cookie" = true, "expires_at" = least("expires_at", now() + interval '29 days');