-- Adds a branch and records it: what it is, with its context, and where its thread forked (`v_stream` at `v_from`).
-- Refuses an id that a branch in another chat of the same owner has (RM409 name_taken): commands name a thread without its
-- chat. The lock on owner and id makes a second chat that begins with this id at the same time wait, and then be refused.
CREATE FUNCTION add_branch(
  v_chat text, v_id text, v_name text, v_lane int, v_depth int, v_head text, v_stream text, v_from int, v_context text,
  v_actor text, v_at timestamptz
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_owner text := (SELECT user_id FROM chats WHERE id = v_chat);
  v_seq bigint := last_seq(v_chat);
BEGIN
  PERFORM pg_advisory_xact_lock(hashtextextended(v_owner || ' ' || v_id, 0));
  IF EXISTS (SELECT 1 FROM branches b JOIN chats c ON c.id = b.chat_id
    WHERE b.id = v_id AND b.chat_id <> v_chat AND c.user_id = v_owner) THEN
    RAISE EXCEPTION 'A branch with the id "%" exists already', v_id USING ERRCODE = 'RM409', DETAIL = 'name_taken';
  END IF;
  INSERT INTO branches (chat_id, id, name, head_lane, head_depth, parent_branch_id, from_event_number, context_id, created_at)
  VALUES (v_chat, v_id, v_name, v_lane, v_depth, v_stream, v_from, v_context, v_at);
  INSERT INTO events (chat_id, seq, stream_id, event_number, type, payload, actor, created_at)
  SELECT v_chat, v_seq + x.n, v_id, v_from + x.n, x.type, x.payload, v_actor, v_at
  FROM (VALUES
    (1, 'ThreadCreated', jsonb_build_object(
      'thread_id', v_id, 'name', v_name, 'head_message_id', v_head, 'context_id', v_context)),
    (2, 'ThreadForked', jsonb_build_object('parent_thread_id', v_stream, 'from_event_number', v_from))
  ) AS x(n, type, payload)
  WHERE x.n = 1 OR v_stream IS NOT NULL;
END $$;
