-- Runs one command of a user: `kind` is create-thread, send-message, fork-thread, or change: a change that was planned outside,
-- of a chat that exists, with its answer. Where that names a thread, its last event number is added. With a `key` the answer is kept and
-- given again to the same command; the key's row makes a second call wait for the first. `change` is what commit_change
-- takes. A reply is queued for the model of the branch's context, which has to be one of `models`; without one for the run's. `q` is the
-- use that take_quota counts; a command that was run before takes nothing. Refusals: those of commit_change; RM400 for a
-- model that is gone; RM404 thread, event; RM409 expected_version, idempotency_mismatch. A refusal keeps nothing, the key included.
CREATE FUNCTION run_command(p json, q json DEFAULT NULL, v_bodies text DEFAULT NULL) RETURNS json LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  r record;
  kept idempotency%rowtype;
  b branches%rowtype;
  v_chat text;
  v_head text;
  v_context text;
  v_model text;
  v_last int;
  v_done json;
  v_answer json;
BEGIN
  SELECT * INTO r FROM json_to_record(p) AS x("userId" text, key text, route text, "bodyHash" text, kind text,
    "threadId" text, "newThreadId" text, "messageId" text, "expectedVersion" bigint, "eventNumber" bigint,
    at double precision, message json, run jsonb, models jsonb, change json, answer jsonb);

  WHILE r.key IS NOT NULL LOOP
    INSERT INTO idempotency (user_id, key, route, body_hash) VALUES (r."userId", r.key, r.route, r."bodyHash")
    ON CONFLICT (user_id, key) DO NOTHING;
    EXIT WHEN FOUND;
    SELECT * INTO kept FROM idempotency WHERE user_id = r."userId" AND key = r.key;
    -- the row is gone when its age had it removed just now
    IF FOUND THEN
      IF kept.route <> r.route OR kept.body_hash <> r."bodyHash" THEN
        RAISE EXCEPTION 'This Idempotency-Key was used before, for another request'
          USING ERRCODE = 'RM409', DETAIL = 'idempotency_mismatch';
      END IF;
      RETURN json_build_object('answer', kept.answer, 'repeated', true);
    END IF;
  END LOOP;

  IF r.kind = 'create-thread' THEN
    v_done := commit_change(r.change, q);
    v_chat := r.change ->> 'chatId';
    v_answer := json_build_object('chat_id', v_chat, 'thread_id', r."newThreadId",
      'event_number', thread_number(v_chat, r."newThreadId"));
  ELSIF r.kind = 'change' THEN
    v_chat := r.change ->> 'chatId';
    PERFORM 1 FROM chats WHERE id = v_chat AND user_id = r."userId" FOR NO KEY UPDATE;
    IF NOT FOUND THEN
      PERFORM refuse_missing('Chat', v_chat);
    END IF;
    v_last := thread_number(v_chat, r."threadId");
    IF r."expectedVersion" <> v_last THEN
      RAISE EXCEPTION 'The thread is at event %, not %', v_last, r."expectedVersion"
        USING ERRCODE = 'RM409', DETAIL = 'expected_version';
    END IF;
    v_done := commit_change(r.change, q, v_bodies);
    v_answer := r.answer || jsonb_strip_nulls(jsonb_build_object(
      'event_number', thread_number(v_chat, r.answer ->> 'thread_id')));
  ELSE
    -- the chat's lock first: the change finds what is read after it
    SELECT t.chat_id INTO v_chat FROM branches t JOIN chats c ON c.id = t.chat_id AND c.user_id = r."userId"
    WHERE t.id = r."threadId" ORDER BY c.created_at, c.id LIMIT 1;
    PERFORM 1 FROM chats WHERE id = v_chat AND user_id = r."userId" FOR NO KEY UPDATE;
    IF NOT FOUND THEN
      PERFORM refuse_missing('Thread', r."threadId");
    END IF;
    SELECT * INTO b FROM branches WHERE chat_id = v_chat AND id = r."threadId";
    v_last := thread_number(v_chat, b.id);
    IF r."expectedVersion" <> v_last THEN
      RAISE EXCEPTION 'The thread is at event %, not %', v_last, r."expectedVersion"
        USING ERRCODE = 'RM409', DETAIL = 'expected_version';
    END IF;
    IF r.kind = 'send-message' THEN
      SELECT id INTO v_head FROM messages WHERE chat_id = v_chat AND lane = b.head_lane AND depth = b.head_depth;
      SELECT model INTO v_model FROM contexts WHERE chat_id = v_chat AND id = b.context_id;
      IF NOT r.models ? v_model THEN
        RAISE EXCEPTION 'The model "%", which answers on this thread, is not available now. Choose another one, or make it available again.', v_model
          USING ERRCODE = 'RM400', DETAIL = 'unknown_model';
      END IF;
      v_done := commit_change(json_build_object('chatId', v_chat, 'ownerId', r."userId", 'at', r.at,
        'steps', json_build_array(
          json_build_object('kind', 'append', 'branchId', b.id, 'expectedHead', v_head,
            'messages', json_build_array(r.message)),
          r.run || jsonb_build_object('kind', 'queue-run', 'branchId', b.id, 'replyTo', r."messageId",
            'model', coalesce(v_model, r.run ->> 'model')))), q);
      v_answer := json_build_object('thread_id', b.id, 'message_id', r."messageId", 'event_number',
        (SELECT event_number FROM events WHERE chat_id = v_chat AND message_id = r."messageId"));
    ELSE
      IF r."eventNumber" NOT BETWEEN 1 AND v_last THEN
        PERFORM refuse_missing('Event', r."eventNumber"::text);
      END IF;
      SELECT head, context INTO v_head, v_context FROM thread_at(v_chat, b.id, r."eventNumber"::int);
      v_done := commit_change(json_build_object('chatId', v_chat, 'ownerId', r."userId", 'at', r.at,
        'steps', json_build_array(json_build_object('kind', 'open-branch', 'branchId', r."newThreadId", 'after', b.name,
          'at', v_head, 'contextId', v_context, 'activate', false,
          'fork', json_build_object('threadId', b.id, 'eventNumber', r."eventNumber")),
          json_build_object('kind', 'mark-move', 'move', 'branch'))), q);
      v_answer := json_build_object('thread_id', r."newThreadId", 'parent_thread_id', b.id,
        'from_event_number', r."eventNumber", 'event_number', r."eventNumber" + 2);
    END IF;
  END IF;

  IF r.key IS NOT NULL THEN
    UPDATE idempotency SET answer = v_answer WHERE user_id = r."userId" AND key = r.key;
  END IF;
  RETURN json_build_object('answer', v_answer, 'repeated', false, 'chatId', v_chat, 'done', v_done);
END $$;
