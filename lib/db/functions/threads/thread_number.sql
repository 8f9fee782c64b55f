-- The last number of a stream: a thread's, or the chat's own (null before its first event). A fork that has recorded
-- nothing stands at its own ThreadForked.
CREATE FUNCTION thread_number(v_chat text, v_thread text) RETURNS int LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN (SELECT event_number FROM events WHERE chat_id = v_chat AND stream_id = v_thread
    ORDER BY event_number DESC LIMIT 1);
END $$;
