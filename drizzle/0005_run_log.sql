CREATE TABLE "run_parts" (
	"chat_id" text NOT NULL,
	"run_id" text NOT NULL,
	"attempt" integer NOT NULL,
	"number" integer NOT NULL,
	"parts" json NOT NULL,
	CONSTRAINT "run_parts_pk" PRIMARY KEY("chat_id","run_id","attempt","number")
);
--> statement-breakpoint
ALTER TABLE "runs" ADD COLUMN "stop_at" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "run_parts" ADD CONSTRAINT "run_parts_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "run_parts" ADD CONSTRAINT "run_parts_of_run" FOREIGN KEY ("chat_id","run_id") REFERENCES "public"."runs"("chat_id","id") ON DELETE no action ON UPDATE no action;