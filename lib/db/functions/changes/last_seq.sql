-- The number of the last event in a chat; 0 before the first.
CREATE FUNCTION last_seq(v_chat text) RETURNS bigint LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce((SELECT seq FROM events WHERE chat_id = v_chat ORDER BY seq DESC LIMIT 1), 0);
END $$;
