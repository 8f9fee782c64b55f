-- Records one event, numbered next in its chat and next in its stream, under the chat's lock. In plpgsql, like everything
-- here that runs on every call and cannot be inlined: it keeps its plans, SQL plans anew.
CREATE FUNCTION log_event(
  v_chat text, v_stream text, v_type text, v_payload jsonb, v_actor text, v_at timestamptz, v_version int DEFAULT 1
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (chat_id, seq, stream_id, event_number, type, version, payload, actor, created_at)
  VALUES (v_chat, last_seq(v_chat) + 1, v_stream, coalesce(thread_number(v_chat, v_stream), 0) + 1, v_type, v_version,
    v_payload, v_actor, v_at);
END $$;
