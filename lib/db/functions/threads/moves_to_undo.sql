-- The moves of a chat that Undo (`v_undo`) takes back one after another, or that Redo makes again: those after the event
-- `v_after`, `v_most` of them. One row without a move where there is none, and no row where there is no such chat of `v_owner`
-- (null for any). Reads the moves' own events and the refs that they name: how long the log is, and how many branches the chat
-- has, makes no difference. Its plan is made once: to make it takes ten times as long as to follow it.
CREATE FUNCTION moves_to_undo(v_chat text, v_owner text, v_undo boolean, v_after bigint, v_most int) RETURNS SETOF json
  LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
BEGIN
  RETURN QUERY
  WITH RECURSIVE c AS MATERIALIZED (
    SELECT id, last_seq, active_branch_id, CASE WHEN v_undo THEN undo_seq ELSE redo_seq END AS mark
    FROM chats WHERE id = v_chat AND (v_owner IS NULL OR user_id = v_owner)
  ), m AS (
    SELECT e.seq, e.payload, (a.payload ->> 'previous')::bigint AS next, 1 AS place
    FROM c JOIN events a ON a.chat_id = v_chat AND a.seq = c.mark JOIN events e ON e.chat_id = v_chat AND e.seq > v_after
      AND e.seq = CASE WHEN a.type = 'MoveMade' THEN a.seq ELSE (a.payload ->> 'move_seq')::bigint END
    UNION ALL
    SELECT e.seq, e.payload, (a.payload ->> 'previous')::bigint, m.place + 1
    FROM m JOIN events a ON a.chat_id = v_chat AND a.seq = m.next JOIN events e ON e.chat_id = v_chat AND e.seq > v_after
      AND e.seq = CASE WHEN a.type = 'MoveMade' THEN a.seq ELSE (a.payload ->> 'move_seq')::bigint END
    WHERE m.place < v_most
  )
  SELECT json_build_object('seq', c.last_seq, 'activeBranchId', c.active_branch_id, 'moveSeq', m.seq,
    'move', m.payload ->> 'move', 'next', m.next, 'facts', x.facts, 'lines', x.lines, 'branches', x.branches,
    'checkpoints', x.checkpoints)
  FROM c LEFT JOIN m ON true LEFT JOIN LATERAL (
    WITH e AS MATERIALIZED (
      SELECT d.* FROM events d WHERE d.chat_id = v_chat AND d.seq >= (m.payload ->> 'first_seq')::bigint AND d.seq < m.seq
    ), l AS MATERIALIZED (
      SELECT e.stream_id, (array_agg(e.message_id ORDER BY e.seq))[1] AS first,
        (array_agg(e.message_id ORDER BY e.seq DESC))[1] AS last
      FROM e WHERE e.message_id IS NOT NULL GROUP BY e.stream_id
    ), named AS (
      SELECT e.stream_id AS id FROM e UNION SELECT e.payload ->> 'branch_id' FROM e
      UNION SELECT e.payload ->> 'from_branch_id' FROM e
      UNION SELECT k.id FROM e JOIN branches k ON e.type = 'BranchRenamed' AND k.chat_id = v_chat AND k.name IN (
        e.payload ->> 'name', e.payload ->> 'previous_name', left(e.payload ->> 'previous_name', 160) || '-undone-' || m.seq)
      UNION SELECT k.id FROM l JOIN messages h ON h.chat_id = v_chat AND h.id = l.last
        JOIN branches k ON k.chat_id = v_chat AND k.head_lane = h.lane AND k.head_depth = h.depth
    )
    SELECT
      (SELECT coalesce(json_agg(json_build_object('id', e.chat_id || ':' || e.seq, 'chatId', e.chat_id, 'seq', e.seq,
          'streamId', e.stream_id, 'eventNumber', e.event_number, 'type', e.type, 'version', e.version, 'payload', e.payload,
          'createdAt', epoch_ms(e.created_at)) ORDER BY e.seq), '[]')
        FROM e WHERE e.message_id IS NULL AND e.type <> 'CheckpointCreated') AS facts,
      (SELECT coalesce(json_agg(json_build_object('branchId', l.stream_id, 'before', f.parent_id, 'last', l.last)), '[]')
        FROM l JOIN messages f ON f.chat_id = v_chat AND f.id = l.first) AS lines,
      (SELECT coalesce(json_agg(json_build_object('branch', branch_json(b, h.id), 'active', b.id = c.active_branch_id,
          'busy', EXISTS (SELECT 1 FROM runs r
            WHERE r.chat_id = v_chat AND r.branch_id = b.id AND r.status IN ('queued', 'running')))), '[]')
        FROM branches b LEFT JOIN messages h ON h.chat_id = b.chat_id AND h.lane = b.head_lane AND h.depth = b.head_depth
        WHERE b.chat_id = v_chat AND b.id IN (SELECT id FROM named)) AS branches,
      (SELECT coalesce(json_agg(checkpoint_json(k, h.id)), '[]') FROM checkpoints k
        JOIN messages h ON h.chat_id = k.chat_id AND h.lane = k.lane AND h.depth = k.depth
        WHERE k.chat_id = v_chat AND k.name IN (SELECT e.payload ->> 'name' FROM e WHERE e.type LIKE 'Checkpoint%'))
        AS checkpoints
  ) x ON m.seq IS NOT NULL
  ORDER BY m.place;
END $$;
