-- The first message recorded in a branch's thread, and the one that it is another version of; no values for a branch
-- without messages of its own.
CREATE FUNCTION first_in_thread(v_chat text, v_branch text,
  OUT id text, OUT role text, OUT preview text, OUT original_id text, OUT original text) LANGUAGE plpgsql STABLE
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  m messages%rowtype;
  p messages%rowtype;
BEGIN
  SELECT x.* INTO m FROM messages x WHERE x.chat_id = v_chat AND x.id = (
    SELECT e.message_id FROM events e WHERE e.chat_id = v_chat AND e.stream_id = v_branch AND e.message_id IS NOT NULL
    ORDER BY e.event_number LIMIT 1);
  IF NOT FOUND THEN
    RETURN;
  END IF;
  SELECT x.* INTO p FROM messages x WHERE x.chat_id = v_chat AND x.id = m.parent_id;
  -- the first reply to a message stands below it in its lane, and the first root in the first lane
  SELECT x.id, x.preview INTO original_id, original FROM messages x WHERE x.chat_id = v_chat
    AND x.lane = coalesce(p.lane, 0) AND x.depth = coalesce(p.depth + 1, 0) AND x.id <> m.id AND x.name = m.name;
  id := m.id;
  role := m.name;
  preview := m.preview;
END $$;
