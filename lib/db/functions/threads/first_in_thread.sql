-- The first message recorded in a branch's thread, the one that it is another version of, and its place among the versions
-- by the same author, from 1; no values for a branch without messages of its own.
CREATE FUNCTION first_in_thread(v_chat text, v_branch text,
  OUT id text, OUT role text, OUT preview text, OUT original_id text, OUT original text,
  OUT place int) LANGUAGE plpgsql STABLE
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off AS $$
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
  place := 1;
  IF original_id IS NOT NULL THEN
    -- the versions after the original each begin a lane; of very many, the first hundred are looked at, in the index's order
    SELECT 2 + count(*) INTO place FROM (
      (SELECT g.lane, g.base_depth FROM lanes g
        WHERE g.chat_id = v_chat AND g.parent_lane = p.lane AND g.parent_depth = p.depth
        ORDER BY g.chat_id, g.parent_lane, g.parent_depth LIMIT 100)
      UNION ALL
      (SELECT g.lane, g.base_depth FROM lanes g
        WHERE p.id IS NULL AND g.chat_id = v_chat AND g.parent_lane IS NULL AND g.lane > 0
        ORDER BY g.chat_id, g.parent_lane, g.parent_depth LIMIT 100)) g
    CROSS JOIN LATERAL (SELECT x.name FROM messages x
      WHERE x.chat_id = v_chat AND x.lane = g.lane AND x.depth = g.base_depth LIMIT 1) x
    WHERE g.lane < m.lane AND x.name = m.name;
  END IF;
  id := m.id;
  role := m.name;
  preview := m.preview;
END $$;
