ALTER TABLE "messages" ADD COLUMN "holds" text;--> statement-breakpoint
CREATE INDEX "messages_holds" ON "messages" USING btree ("chat_id","id","holds") WHERE "messages"."holds" is not null;