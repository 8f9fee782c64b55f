-- Ids that clients choose are their owner's own: of a chat, and of its first branch. `chats.id` stays the key that everything
-- in a chat refers to; `alias` is what the owner calls the chat where another person's chat has that key.

ALTER TABLE "chats" ADD COLUMN "alias" text;
--> statement-breakpoint
ALTER TABLE "chats" ADD CONSTRAINT "chats_alias_length" CHECK (length("alias") between 1 and 128);
--> statement-breakpoint
CREATE UNIQUE INDEX "chats_public_id" ON "chats" USING btree ("user_id", coalesce("alias", "id"));
--> statement-breakpoint
DROP INDEX "chats_user";
--> statement-breakpoint
-- other people's branches may have the same id
ALTER TABLE "branches" DROP CONSTRAINT "branches_thread_id";
--> statement-breakpoint
CREATE INDEX "branches_thread" ON "branches" USING btree ("id");
--> statement-breakpoint
-- Adds a branch and tells of it: what it is, with its context, and where its thread forked. Returns how many events that took.
-- Refuses an id that a branch in another chat of the same owner has (RM409 name_taken): commands name a thread without its
-- chat. The lock on owner and id makes a second chat that is begun with it at the same time wait, and then be refused.
CREATE OR REPLACE FUNCTION add_branch(
  v_chat text, v_id text, v_name text, v_lane int, v_depth int, v_head text, v_stream text, v_from int, v_context text,
  v_seq bigint, v_actor text, v_at timestamptz
) RETURNS int LANGUAGE plpgsql AS $$
DECLARE
  v_owner text := (SELECT user_id FROM chats WHERE id = v_chat);
  v_created jsonb := jsonb_build_object('thread_id', v_id, 'name', v_name, 'head_message_id', v_head, 'context_id', v_context);
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(v_owner || ' ' || v_id, 0));
  IF EXISTS (SELECT 1 FROM branches b JOIN chats c ON c.id = b.chat_id
    WHERE b.id = v_id AND b.chat_id <> v_chat AND c.user_id = v_owner) THEN
    RAISE EXCEPTION 'A branch with the id "%" exists already', v_id USING ERRCODE = 'RM409', DETAIL = 'name_taken';
  END IF;
  INSERT INTO branches (chat_id, id, name, head_lane, head_depth, parent_branch_id, from_event_number, context_id, created_at)
  VALUES (v_chat, v_id, v_name, v_lane, v_depth, v_stream, v_from, v_context, v_at);
  IF v_stream IS NULL THEN
    PERFORM log_event(v_chat, v_seq + 1, v_id, v_from + 1, 'ThreadCreated', v_created, v_actor, v_at);
    RETURN 1;
  END IF;
  INSERT INTO events (chat_id, seq, stream_id, event_number, type, payload, actor, created_at) VALUES
    (v_chat, v_seq + 1, v_id, v_from + 1, 'ThreadCreated', v_created, v_actor, v_at),
    (v_chat, v_seq + 2, v_id, v_from + 2, 'ThreadForked', jsonb_build_object(
      'parent_thread_id', v_stream, 'from_event_number', v_from), v_actor, v_at);
  RETURN 2;
END $$;
--> statement-breakpoint
-- commit_change for a new chat that its owner calls `v_alias`. A chat of the same owner that is called so already, or is made
-- at the same time, is a unique violation of chats_public_id; then nothing is written.
CREATE FUNCTION commit_aliased(p json, v_chat text, v_alias text) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_done json := commit_change(p);
BEGIN
  IF NOT (v_done ->> 'created')::boolean THEN
    RAISE EXCEPTION 'chat % is there already', v_chat USING ERRCODE = 'RM001';
  END IF;
  UPDATE chats SET alias = v_alias WHERE id = v_chat;
  RETURN v_done;
END $$;
--> statement-breakpoint
-- Gives all chats of one user to another. Where both have a chat of one id, the new owner's keeps it and the moved one is
-- called by its key; unless the id is the moved chat's key, which cannot change: then the new owner's is called by its own.
CREATE FUNCTION move_chats(v_from text, v_to text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  LOOP
    BEGIN
      UPDATE chats k SET alias = NULL
      FROM chats o
      WHERE k.alias IS NOT NULL AND k.user_id IN (v_from, v_to)
        AND o.user_id = CASE k.user_id WHEN v_from THEN v_to ELSE v_from END AND coalesce(o.alias, o.id) = k.alias
        AND (k.user_id = v_from OR o.alias IS NULL);
      UPDATE chats SET user_id = v_to WHERE user_id = v_from;
      RETURN;
    EXCEPTION WHEN unique_violation THEN
      -- the new owner has begun a chat of such an id meanwhile: now it is seen
      NULL;
    END;
  END LOOP;
END $$;
--> statement-breakpoint
-- Runs one command of a user's: `kind` is create-thread, send-message or fork-thread. With a `key`, the answer is kept and
-- given again to the same command; the key's row makes whoever comes second wait. `change` is what commit_change takes,
-- without what only the database knows. A reply is queued for the model of the branch's context, if that is one of
-- `models`, else for the run's. Refusals: those of commit_change; RM404 thread, event; RM409 expected_version,
-- idempotency_mismatch. A refusal keeps nothing, the key included.
CREATE OR REPLACE FUNCTION run_command(p json) RETURNS json LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  q record;
  kept idempotency%rowtype;
  b branches%rowtype;
  v_chat text;
  v_head text;
  v_context text;
  v_last int;
  v_done json;
  v_answer json;
BEGIN
  SELECT * INTO q FROM json_to_record(p) AS x("userId" text, key text, route text, "bodyHash" text, kind text,
    "threadId" text, "newThreadId" text, "messageId" text, "expectedVersion" bigint, "eventNumber" bigint,
    at double precision, message json, run jsonb, models jsonb, change json);

  WHILE q.key IS NOT NULL LOOP
    INSERT INTO idempotency (user_id, key, route, body_hash) VALUES (q."userId", q.key, q.route, q."bodyHash")
    ON CONFLICT (user_id, key) DO NOTHING;
    EXIT WHEN FOUND;
    SELECT * INTO kept FROM idempotency WHERE user_id = q."userId" AND key = q.key;
    -- gone when it was forgotten, for its age, just now
    IF FOUND THEN
      IF kept.route <> q.route OR kept.body_hash <> q."bodyHash" THEN
        RAISE EXCEPTION 'This Idempotency-Key was used before, for another request'
          USING ERRCODE = 'RM409', DETAIL = 'idempotency_mismatch';
      END IF;
      RETURN json_build_object('answer', kept.answer, 'repeated', true);
    END IF;
  END LOOP;

  IF q.kind = 'create-thread' THEN
    v_done := commit_change(q.change);
    v_chat := q.change ->> 'chatId';
    v_answer := json_build_object('chat_id', v_chat, 'thread_id', q."newThreadId",
      'event_number', thread_number(v_chat, q."newThreadId"));
  ELSE
    -- the chat's lock first: what is read after it is what the change will find
    SELECT t.chat_id INTO v_chat FROM branches t JOIN chats c ON c.id = t.chat_id AND c.user_id = q."userId"
    WHERE t.id = q."threadId" ORDER BY c.created_at, c.id LIMIT 1;
    PERFORM 1 FROM chats WHERE id = v_chat AND user_id = q."userId" FOR NO KEY UPDATE;
    IF NOT FOUND THEN
      RAISE EXCEPTION 'Thread "%" not found', q."threadId" USING ERRCODE = 'RM404', DETAIL = 'thread';
    END IF;
    SELECT * INTO b FROM branches WHERE chat_id = v_chat AND id = q."threadId";
    v_last := thread_number(v_chat, b.id);
    IF q."expectedVersion" <> v_last THEN
      RAISE EXCEPTION 'The thread is at event %, not %', v_last, q."expectedVersion"
        USING ERRCODE = 'RM409', DETAIL = 'expected_version';
    END IF;
    IF q.kind = 'send-message' THEN
      SELECT id INTO v_head FROM messages WHERE chat_id = v_chat AND lane = b.head_lane AND depth = b.head_depth;
      v_done := commit_change(json_build_object('chatId', v_chat, 'ownerId', q."userId", 'at', q.at,
        'steps', json_build_array(
          json_build_object('kind', 'append', 'branchId', b.id, 'expectedHead', v_head,
            'messages', json_build_array(q.message)),
          q.run || jsonb_build_object('kind', 'queue-run', 'branchId', b.id, 'replyTo', q."messageId",
            'model', coalesce((SELECT model FROM contexts WHERE chat_id = v_chat AND id = b.context_id
              AND q.models ? model), q.run ->> 'model')))));
      v_answer := json_build_object('thread_id', b.id, 'message_id', q."messageId", 'event_number',
        (SELECT event_number FROM events WHERE chat_id = v_chat AND message_id = q."messageId"));
    ELSE
      IF q."eventNumber" NOT BETWEEN 1 AND v_last THEN
        RAISE EXCEPTION 'Event "%" not found', q."eventNumber" USING ERRCODE = 'RM404', DETAIL = 'event';
      END IF;
      SELECT head, context INTO v_head, v_context FROM thread_at(v_chat, b.id, q."eventNumber"::int);
      v_done := commit_change(json_build_object('chatId', v_chat, 'ownerId', q."userId", 'at', q.at,
        'steps', json_build_array(json_build_object('kind', 'open-branch', 'branchId', q."newThreadId", 'after', b.name,
          'at', v_head, 'contextId', v_context, 'activate', false,
          'fork', json_build_object('threadId', b.id, 'eventNumber', q."eventNumber")))));
      v_answer := json_build_object('thread_id', q."newThreadId", 'parent_thread_id', b.id,
        'from_event_number', q."eventNumber", 'event_number', q."eventNumber" + 2);
    END IF;
  END IF;

  IF q.key IS NOT NULL THEN
    UPDATE idempotency SET answer = v_answer WHERE user_id = q."userId" AND key = q.key;
  END IF;
  RETURN json_build_object('answer', v_answer, 'repeated', false, 'chatId', v_chat, 'done', v_done);
END $$;
