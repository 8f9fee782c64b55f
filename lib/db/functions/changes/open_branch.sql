-- Opens a branch at a message, or empty: with the name given, or a free one after `v_after`. `v_fork` says where
-- its thread leaves another one (ForkPoint of lib/context/store/change.ts). Its context is the one given, else the
-- message's, else that of the branch forked from; with `v_bare` none.
CREATE FUNCTION open_branch(
  v_chat text, v_id text, v_name text, v_after text, v_head text, v_fork json, v_context text, v_bare boolean,
  v_actor text, v_at timestamptz
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  m record;
  v_message text := v_fork ->> 'messageId';
  v_stream text := v_fork ->> 'threadId';
  v_from int := 0;
BEGIN
  SELECT lane, depth, context_id INTO m FROM messages WHERE chat_id = v_chat AND id = v_head;
  IF v_head IS NOT NULL AND NOT FOUND THEN
    PERFORM refuse_missing('Message', v_head);
  END IF;
  IF v_stream IS NOT NULL THEN
    -- a thread that was named, after an event that was named: the branch begins where that thread stood then
    v_from := (v_fork ->> 'eventNumber')::int;
    IF v_stream = v_chat OR thread_number(v_chat, v_stream) IS NULL THEN
      PERFORM refuse_missing('Branch', v_stream);
    ELSIF v_from NOT BETWEEN 1 AND thread_number(v_chat, v_stream) THEN
      PERFORM refuse_missing('Event', v_from::text);
    ELSIF (SELECT head FROM thread_at(v_chat, v_stream, v_from)) IS DISTINCT FROM v_head THEN
      RAISE EXCEPTION 'a fork at event % begins elsewhere', v_from USING ERRCODE = 'RM001';
    END IF;
  ELSIF v_message IS NOT NULL THEN
    -- the thread that recorded the message, at the number it has there
    SELECT stream_id, event_number INTO v_stream, v_from FROM events WHERE chat_id = v_chat AND message_id = v_message;
    IF NOT FOUND THEN
      PERFORM refuse_missing('Message', v_message);
    ELSIF (v_fork ->> 'before')::boolean THEN
      v_from := CASE WHEN v_head IS NULL THEN 0 ELSE v_from - 1 END;
    END IF;
  END IF;
  IF EXISTS (SELECT 1 FROM branches WHERE chat_id = v_chat AND name = v_name) THEN
    RAISE EXCEPTION 'A branch named "%" exists already', v_name USING ERRCODE = 'RM409', DETAIL = 'name_taken';
  END IF;
  PERFORM add_branch(v_chat, v_id, coalesce(v_name, free_branch_name(v_chat, v_after)), m.lane, m.depth, v_head, v_stream,
    v_from, CASE WHEN v_bare THEN NULL ELSE coalesce(v_context, m.context_id,
      (SELECT context_id FROM branches WHERE chat_id = v_chat AND id = v_stream)) END,
    v_actor, v_at);
END $$;
