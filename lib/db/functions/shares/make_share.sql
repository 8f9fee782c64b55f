-- Makes a link to a chat, unless the chat has p.most of them that are in force. The lock on the chat's row makes calls for one
-- chat serial, so the limit is exact, and no event is written between the position of the log that is noted here and the
-- link. Answers that position, or how many links there are already; null where the owner has no such chat.
CREATE FUNCTION make_share(p json) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_seq bigint;
  v_used int;
BEGIN
  SELECT last_seq INTO v_seq FROM chats WHERE id = p->>'chatId' AND user_id = p->>'userId' FOR NO KEY UPDATE;
  IF NOT FOUND THEN RETURN NULL; END IF;
  SELECT count(*) INTO v_used FROM share_links
  WHERE chat_id = p->>'chatId' AND (expires_at IS NULL OR expires_at > clock_timestamp());
  IF v_used >= (p->>'most')::int THEN RETURN json_build_object('used', v_used); END IF;
  INSERT INTO share_links (chat_id, id, token_hash, branch_id, message_id, seq, with_graph, follows, indexed, shared_by,
    expires_at)
  VALUES (p->>'chatId', p->>'id', p->>'tokenHash', p->>'branchId', p->>'messageId', v_seq, (p->>'withGraph')::boolean,
    (p->>'follows')::boolean, (p->>'indexed')::boolean, p->>'sharedBy', (p->>'expiresAt')::timestamptz);
  RETURN json_build_object('seq', v_seq);
END $$;
