-- The stored size of a chat: the bodies of its messages, its contexts and summaries, and 300 bytes for every event that its
-- owner caused (the titles follower's are free).
CREATE FUNCTION chat_bytes(v_chat text) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT coalesce(sum(octet_length(data::text)), 0) FROM messages WHERE chat_id = v_chat)
    + (SELECT coalesce(sum(octet_length(fragments::text) + coalesce(octet_length(setup::text), 0)), 0) FROM contexts WHERE chat_id = v_chat)
    + (SELECT coalesce(sum(octet_length(text)), 0) FROM summaries WHERE chat_id = v_chat)
    + 300 * (SELECT count(*) FROM events WHERE chat_id = v_chat AND actor IS DISTINCT FROM 'titles');
END $$;
