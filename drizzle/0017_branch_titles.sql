ALTER TABLE "branches" ADD COLUMN "title" text;--> statement-breakpoint
ALTER TABLE "branches" ADD CONSTRAINT "branches_title_length" CHECK (length(title) between 1 and 200);