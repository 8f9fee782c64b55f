CREATE TABLE "message_search" (
	"chat_id" text NOT NULL,
	"lane" integer NOT NULL,
	"depth" integer NOT NULL,
	"words" "tsvector" NOT NULL,
	CONSTRAINT "message_search_pk" PRIMARY KEY("chat_id","lane","depth")
);
--> statement-breakpoint
CREATE TABLE "search_progress" (
	"chat_id" text PRIMARY KEY NOT NULL,
	"seq" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
DROP INDEX "messages_search";--> statement-breakpoint
ALTER TABLE "message_search" ADD CONSTRAINT "message_search_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "message_search" ADD CONSTRAINT "message_search_of_message" FOREIGN KEY ("chat_id","lane","depth") REFERENCES "public"."messages"("chat_id","lane","depth") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "search_progress" ADD CONSTRAINT "search_progress_chat_id_chats_id_fk" FOREIGN KEY ("chat_id") REFERENCES "public"."chats"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "message_search_words" ON "message_search" USING gin ("words");--> statement-breakpoint
ALTER TABLE "messages" DROP COLUMN "search";
--> statement-breakpoint
-- Brings a chat's search up to date: indexes what its log has recorded since the last time, and returns how many messages
-- that were. Several may ask at once; each message is indexed once. Holds no lock that a turn needs.
CREATE FUNCTION index_search(v_chat text) RETURNS int LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  v_from bigint;
  v_to bigint;
  v_count int;
BEGIN
  SELECT seq INTO v_to FROM events WHERE chat_id = v_chat AND message_id IS NOT NULL ORDER BY events.seq DESC LIMIT 1;
  SELECT seq INTO v_from FROM search_progress WHERE chat_id = v_chat;
  IF v_to IS NULL OR v_from >= v_to THEN
    RETURN 0;
  END IF;
  INSERT INTO search_progress (chat_id) VALUES (v_chat) ON CONFLICT DO NOTHING;
  SELECT seq INTO v_from FROM search_progress WHERE chat_id = v_chat FOR UPDATE;
  INSERT INTO message_search (chat_id, lane, depth, words)
  SELECT m.chat_id, m.lane, m.depth, to_tsvector('simple', left(coalesce(message_text(m.data), ''), 100000))
  FROM events e JOIN messages m ON m.chat_id = e.chat_id AND m.id = e.message_id
  WHERE e.chat_id = v_chat AND e.seq > v_from AND e.seq <= v_to;
  GET DIAGNOSTICS v_count = ROW_COUNT;
  UPDATE search_progress SET seq = greatest(seq, v_to) WHERE chat_id = v_chat;
  RETURN v_count;
END $$;
