-- What a branch that has an automatic name can be titled by, as FirstMessage (lib/graph/branch-title.ts): the first message
-- recorded in its thread, with the one that it is another version of. Null for a branch without messages of its own.
CREATE FUNCTION first_said(v_chat text, v_branch text) RETURNS json LANGUAGE plpgsql STABLE
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  m messages%rowtype;
  p messages%rowtype;
  v_original text;
BEGIN
  SELECT x.* INTO m FROM messages x WHERE x.chat_id = v_chat AND x.id = (
    SELECT e.message_id FROM events e WHERE e.chat_id = v_chat AND e.stream_id = v_branch AND e.message_id IS NOT NULL
    ORDER BY e.event_number LIMIT 1);
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  SELECT x.* INTO p FROM messages x WHERE x.chat_id = v_chat AND x.id = m.parent_id;
  -- the first reply to a message stands below it in its lane, and the first root in the first lane
  SELECT x.preview INTO v_original FROM messages x WHERE x.chat_id = v_chat AND x.lane = coalesce(p.lane, 0)
    AND x.depth = coalesce(p.depth + 1, 0) AND x.id <> m.id AND x.name = m.name;
  RETURN json_strip_nulls(json_build_object('role', m.name, 'preview', m.preview, 'original', v_original));
END $$;
