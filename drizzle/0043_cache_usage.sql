ALTER TABLE "usage" ADD COLUMN "cached_tokens" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "usage" ADD COLUMN "cache_write_tokens" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "usage_days" ADD COLUMN "cache_write_tokens" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
-- what was read from caches is in the log: the follower counts again
DELETE FROM "usage";--> statement-breakpoint
UPDATE "followers" SET "txid" = '0', "at_chat" = '', "at_seq" = 0 WHERE "name" = 'usage';
