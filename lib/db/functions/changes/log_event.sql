-- Records one event, numbered next in its chat and next in its stream, under the chat's lock, and returns its number in the
-- chat. In plpgsql, like everything here that runs on every call and cannot be inlined: it keeps its plans, SQL plans anew.
-- Best called by an assignment, like the functions of the steps: PERFORM runs a statement around it, which costs as much as
-- a look-up.
CREATE FUNCTION log_event(
  v_chat text, v_stream text, v_type text, v_payload jsonb, v_actor text, v_at timestamptz, v_version int DEFAULT 1
) RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  v_seq bigint;
BEGIN
  INSERT INTO events (chat_id, seq, stream_id, event_number, type, version, payload, actor, created_at)
  VALUES (v_chat, coalesce((SELECT e.seq FROM events e WHERE e.chat_id = v_chat ORDER BY e.seq DESC LIMIT 1), 0) + 1,
    v_stream, coalesce((SELECT e.event_number FROM events e WHERE e.chat_id = v_chat AND e.stream_id = v_stream
      ORDER BY e.event_number DESC LIMIT 1), 0) + 1, v_type, v_version, v_payload, v_actor, v_at)
  RETURNING seq INTO v_seq;
  RETURN v_seq;
END $$;
