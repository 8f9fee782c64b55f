-- a longer list is no list of models: its key is kept, and has to be saved again
UPDATE "provider_keys" SET "models" = '[]' WHERE length(models::text) > 500000;
--> statement-breakpoint
ALTER TABLE "provider_keys" ADD CONSTRAINT "provider_keys_models" CHECK (length(models::text) <= 500000);