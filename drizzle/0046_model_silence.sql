ALTER TABLE "provider_keys" ADD COLUMN "silence_ms" integer;--> statement-breakpoint
ALTER TABLE "provider_keys" ADD CONSTRAINT "provider_keys_silence" CHECK (silence_ms between 1000 and 86400000);