-- The commands that know a thread and nothing of its chat (DESIGN.md §9): each in one transaction and one round trip.

-- Where a thread stood after one of its events, inherited ones included: the last message by then (null before the
-- first), and the context in force.
CREATE FUNCTION thread_at(v_chat text, v_thread text, v_number int, OUT head text, OUT context text)
LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_from int;
  v_parent text;
BEGIN
  -- up to the thread that recorded the event
  LOOP
    SELECT from_event_number, parent_branch_id INTO v_from, v_parent FROM branches WHERE chat_id = v_chat AND id = v_thread;
    IF NOT FOUND THEN
      RETURN;
    END IF;
    EXIT WHEN v_number > v_from;
    v_thread := v_parent;
  END LOOP;
  SELECT payload ->> 'context_id' INTO context FROM events
  WHERE chat_id = v_chat AND stream_id = v_thread AND event_number <= v_number
    AND type IN ('ThreadCreated', 'ContextChanged', 'CheckpointCreated')
  ORDER BY event_number DESC LIMIT 1;
  SELECT message_id INTO head FROM events
  WHERE chat_id = v_chat AND stream_id = v_thread AND event_number <= v_number AND message_id IS NOT NULL
  ORDER BY event_number DESC LIMIT 1;
  IF NOT FOUND THEN
    -- nothing of its own yet: it began where it forked
    SELECT payload ->> 'head_message_id' INTO head FROM events
    WHERE chat_id = v_chat AND stream_id = v_thread AND event_number = v_from + 1;
  END IF;
END $$;
--> statement-breakpoint
-- The last number of a thread's history. A fork that has recorded nothing stands at its own ThreadForked.
CREATE FUNCTION thread_number(v_chat text, v_thread text) RETURNS int LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT event_number FROM events WHERE chat_id = v_chat AND stream_id = v_thread
    ORDER BY event_number DESC LIMIT 1);
END $$;
--> statement-breakpoint
-- Runs one command of a user's: `kind` is create-thread, send-message or fork-thread. With a `key`, the answer is kept and
-- given again to the same command; the key's row makes whoever comes second wait. `change` is what commit_change takes,
-- without what only the database knows. A reply is queued for the model of the branch's context, if that is one of
-- `models`, else for the run's. Refusals: those of commit_change; RM404 thread, event; RM409 expected_version,
-- idempotency_mismatch. A refusal keeps nothing, the key included.
CREATE FUNCTION run_command(p json) RETURNS json LANGUAGE plpgsql
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
    SELECT chat_id INTO v_chat FROM branches WHERE id = q."threadId";
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
