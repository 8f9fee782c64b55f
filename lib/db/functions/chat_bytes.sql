-- What a chat comes to: the bodies of its messages, and 300 bytes for every event its owner caused (a follower's titles
-- are nobody's).
CREATE FUNCTION chat_bytes(v_chat text) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT coalesce(sum(octet_length(data::text)), 0) FROM messages WHERE chat_id = v_chat)
    + 300 * (SELECT count(*) FROM events WHERE chat_id = v_chat AND actor IS DISTINCT FROM 'titles');
END $$;
