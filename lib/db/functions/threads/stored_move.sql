-- A move as StoredMove (lib/context/store/records.ts): what it logged, and the refs that it names as they stand now. `v_move`
-- is the payload of its MoveMade at `v_at`, `v_next` the event that Undo (Redo) finds after it.
CREATE FUNCTION stored_move(
  v_chat text, v_seq bigint, v_active text, v_at bigint, v_move jsonb, v_next bigint
) RETURNS json LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_first bigint := (v_move ->> 'first_seq')::bigint;
  e record;
  l record;
  v_named text[];
  v_checkpoints json;
BEGIN
  SELECT json_agg(json_build_object('id', d.chat_id || ':' || d.seq, 'chatId', d.chat_id, 'seq', d.seq,
      'streamId', d.stream_id, 'eventNumber', d.event_number, 'type', d.type, 'version', d.version, 'payload', d.payload,
      'createdAt', epoch_ms(d.created_at)) ORDER BY d.seq) FILTER (WHERE d.message_id IS NULL AND d.type <> 'CheckpointCreated') AS facts,
    array_agg(DISTINCT d.stream_id) || array_agg(DISTINCT d.payload ->> 'branch_id')
      || array_agg(DISTINCT d.payload ->> 'from_branch_id') || array_agg(DISTINCT d.payload ->> 'to_branch_id')
      || array_agg(DISTINCT d.payload ->> 'source_thread_id') AS branches,
    array_agg(d.payload) FILTER (WHERE d.type = 'BranchRenamed') AS renames,
    array_agg(d.payload ->> 'name') FILTER (WHERE d.type LIKE 'Checkpoint%') AS checkpoints,
    bool_or(d.message_id IS NOT NULL) AS lines
  INTO e FROM events d WHERE d.chat_id = v_chat AND d.seq >= v_first AND d.seq < v_at;
  v_named := e.branches;
  IF e.renames IS NOT NULL THEN
    v_named := v_named || ARRAY(SELECT k.id FROM branches k WHERE k.chat_id = v_chat AND k.name = ANY (ARRAY(
      SELECT n FROM unnest(e.renames) p, LATERAL (VALUES (p ->> 'name'), (p ->> 'previous_name'),
        (left(p ->> 'previous_name', 160) || '-undone-' || v_at)) x(n))));
  END IF;
  IF e.lines THEN
    SELECT json_agg(json_build_object('branchId', d.stream_id, 'last', d.ids[cardinality(d.ids)], 'before',
        (SELECT f.parent_id FROM messages f WHERE f.chat_id = v_chat AND f.id = d.ids[1]))) AS lines,
      array_agg(d.ids[cardinality(d.ids)]) AS heads
    INTO l FROM (
      SELECT stream_id, array_agg(message_id ORDER BY seq) AS ids FROM events
      WHERE chat_id = v_chat AND seq >= v_first AND seq < v_at AND message_id IS NOT NULL GROUP BY stream_id) d;
    v_named := v_named || ARRAY(SELECT k.id FROM messages h
      JOIN branches k ON k.chat_id = v_chat AND k.head_lane = h.lane AND k.head_depth = h.depth
      WHERE h.chat_id = v_chat AND h.id = ANY (l.heads));
  ELSE
    SELECT NULL::json AS lines INTO l;
  END IF;
  IF e.checkpoints IS NOT NULL THEN
    v_checkpoints := (SELECT json_agg(checkpoint_json(k, (SELECT h.id FROM messages h
        WHERE h.chat_id = k.chat_id AND h.lane = k.lane AND h.depth = k.depth)))
      FROM checkpoints k WHERE k.chat_id = v_chat AND k.name = ANY (e.checkpoints));
  END IF;
  -- each branch by its own look-up: for `= ANY` a plan reads all branches of the chat
  RETURN json_build_object('seq', v_seq, 'activeBranchId', v_active, 'moveSeq', v_at, 'move', v_move ->> 'move',
    'next', v_next, 'facts', coalesce(e.facts, '[]'), 'lines', coalesce(l.lines, '[]'),
    'checkpoints', coalesce(v_checkpoints, '[]'),
    'branches', (SELECT coalesce(json_agg(x.branch), '[]') FROM (
      SELECT (SELECT json_build_object('active', b.id = v_active,
          'branch', branch_json(b, (SELECT h.id FROM messages h
            WHERE h.chat_id = v_chat AND h.lane = b.head_lane AND h.depth = b.head_depth)),
          'steeredTo', (SELECT s.target_id FROM agent_steers s
            WHERE s.chat_id = v_chat AND s.branch_id = b.id AND s.followed_at IS NULL),
          'busy', (SELECT true FROM runs r WHERE r.chat_id = v_chat AND r.branch_id = b.id
            AND r.status IN ('queued', 'running') LIMIT 1) IS NOT NULL)
        FROM branches b WHERE b.chat_id = v_chat AND b.id = n.id) AS branch
      FROM (SELECT DISTINCT unnest(v_named)) n(id) OFFSET 0) x WHERE x.branch IS NOT NULL));
END $$;
