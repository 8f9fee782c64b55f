-- The state of a thread after one of its events, inherited ones included: the last message by then (null before the
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
  SELECT coalesce(message_id, payload ->> 'head_message_id') INTO head FROM events
  WHERE chat_id = v_chat AND stream_id = v_thread AND event_number <= v_number
    AND (message_id IS NOT NULL OR type = 'HeadMoved')
  ORDER BY event_number DESC LIMIT 1;
  IF NOT FOUND THEN
    -- no message of its own yet: the thread stands where it forked
    SELECT payload ->> 'head_message_id' INTO head FROM events
    WHERE chat_id = v_chat AND stream_id = v_thread AND event_number = v_from + 1;
  END IF;
END $$;
