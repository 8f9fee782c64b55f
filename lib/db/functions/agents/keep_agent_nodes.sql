-- Keeps the hashes by which agents name messages of a chat (KeepNodes of lib/events/step.ts). A hash that names another message
-- already is refused: RM409 head_moved, since another call has said the same meanwhile. Rows go in by the length of their
-- chains, so of two calls that say the same the second waits at the first row that they share, and for nothing else. `v_agent` is
-- the agent that says them, and its branch.
-- Each hash is one look at the key: the plan of a join, or of `= ANY`, once kept, reads all that agents of this owner have said.
CREATE FUNCTION keep_agent_nodes(v_chat text, v_owner text, v_nodes json, v_agent json, v_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  v_missing text;
  v_hash bytea;
  v_renamed bytea[];
  v_moved bytea[];
  v_count int;
  v_kept int;
BEGIN
  SELECT count(*), coalesce(array_agg(decode(x.hash, 'hex')) FILTER (WHERE x.chain IS NOT NULL), '{}'),
    coalesce(array_agg(decode(x.hash, 'hex')) FILTER (WHERE x.moved), '{}'),
    min(x."messageId") FILTER (WHERE (SELECT m.depth FROM messages m WHERE m.chat_id = v_chat AND m.id = x."messageId") IS NULL)
  INTO v_count, v_renamed, v_moved, v_missing
  FROM json_to_recordset(v_nodes) AS x(hash text, "messageId" text, chain text, moved boolean);
  IF v_missing IS NOT NULL THEN
    PERFORM refuse_missing('Message', v_missing);
  END IF;
  -- the latest message has the name in a moved chain, where an agent that is pinned to a branch may say the same again, and
  -- by the id of a response, since providers may give one id to many
  FOREACH v_hash IN ARRAY v_renamed LOOP
    DELETE FROM agent_nodes WHERE owner_id = v_owner AND hash = v_hash;
  END LOOP;
  FOREACH v_hash IN ARRAY v_moved LOOP
    DELETE FROM agent_nodes WHERE owner_id = v_owner AND hash = v_hash AND chat_id = v_chat;
  END LOOP;
  INSERT INTO agent_nodes (owner_id, hash, chat_id, message_id, chain, moved)
  SELECT v_owner, decode(x.hash, 'hex'), v_chat, x."messageId", decode(x.chain, 'hex'), coalesce(x.moved, false)
  FROM ROWS FROM (json_to_recordset(v_nodes) AS (hash text, "messageId" text, chain text, moved boolean)) WITH ORDINALITY
    AS x(hash, "messageId", chain, moved, n) ORDER BY x.n
  ON CONFLICT (owner_id, hash) DO NOTHING;
  GET DIAGNOSTICS v_kept = ROW_COUNT;
  IF v_kept < v_count AND EXISTS (SELECT 1 FROM json_to_recordset(v_nodes) AS x(hash text, "messageId" text)
    WHERE (SELECT (a.chat_id, a.message_id) <> (v_chat, x."messageId") FROM agent_nodes a
      WHERE a.owner_id = v_owner AND a.hash = decode(x.hash, 'hex'))) THEN
    RAISE EXCEPTION 'Another call has said the same' USING ERRCODE = 'RM409', DETAIL = 'head_moved';
  END IF;
  IF v_agent IS NOT NULL THEN
    INSERT INTO agent_branches (chat_id, branch_id, message_id, client, key_id, called_at)
    VALUES (v_chat, v_agent ->> 'branchId', v_nodes -> -1 ->> 'messageId', v_agent ->> 'client', v_agent ->> 'keyId', v_at)
    ON CONFLICT (chat_id, branch_id) DO UPDATE SET message_id = excluded.message_id, client = excluded.client,
      key_id = excluded.key_id, called_at = excluded.called_at;
  END IF;
END $$;
