ALTER TABLE "runs" DROP CONSTRAINT "runs_id";--> statement-breakpoint
ALTER TABLE "events" DROP CONSTRAINT "events_message_of_chat";
--> statement-breakpoint
ALTER TABLE "runs" DROP CONSTRAINT "runs_context_of_chat";
--> statement-breakpoint
DROP INDEX "runs_live";--> statement-breakpoint
DROP INDEX "runs_context";--> statement-breakpoint
DROP INDEX "branches_parent";--> statement-breakpoint
DROP INDEX "runs_branch";--> statement-breakpoint
CREATE INDEX "branches_parent" ON "branches" USING btree ("chat_id","parent_branch_id") WHERE "branches"."parent_branch_id" is not null;--> statement-breakpoint
CREATE INDEX "runs_branch" ON "runs" USING btree ("branch_id","chat_id");--> statement-breakpoint
-- Plans must not hang on the chats that happen to be there: where every chat is short, its key alone looks as good as the
-- key of one row in it, and such a plan reads a long chat whole. For the planner a chat has a hundred rows of each.
ALTER TABLE "messages" ALTER COLUMN "chat_id" SET (n_distinct = -0.01);
--> statement-breakpoint
ALTER TABLE "events" ALTER COLUMN "chat_id" SET (n_distinct = -0.01);
--> statement-breakpoint
ALTER TABLE "runs" ALTER COLUMN "chat_id" SET (n_distinct = -0.01);
--> statement-breakpoint
ALTER TABLE "branches" ALTER COLUMN "chat_id" SET (n_distinct = -0.01);
--> statement-breakpoint
ALTER TABLE "lanes" ALTER COLUMN "chat_id" SET (n_distinct = -0.01);
