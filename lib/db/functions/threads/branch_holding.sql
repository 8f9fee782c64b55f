-- The branch to read a message on: the latest used of those that hold it. They are found downwards, from its lane to the
-- lanes that hang below it, the nearest first, among 200 at most. The orders and limits keep the planner on the indexes.
-- A function of its own: inside the calling statement its cost estimate would start the JIT compiler, for seconds.
CREATE FUNCTION branch_holding(v_chat text, v_lane int, v_depth int) RETURNS json LANGUAGE plpgsql STABLE
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off AS $$
BEGIN
  RETURN (WITH RECURSIVE below AS (
      SELECT v_lane AS lane, v_depth AS depth
      UNION ALL
      SELECT g.* FROM below q CROSS JOIN LATERAL (
        SELECT g.lane, g.base_depth FROM lanes g
        WHERE g.chat_id = v_chat AND g.parent_lane = q.lane AND g.parent_depth >= q.depth
        ORDER BY g.chat_id, g.parent_lane, g.parent_depth LIMIT 200) g
    )
    SELECT json_build_object('id', b.id, 'name', b.name, 'title', b.title, 'lane', b.head_lane, 'count', b.head_depth + 1,
      'first', CASE WHEN b.title IS NULL THEN (SELECT json_strip_nulls(json_build_object('role', f.role, 'preview', f.preview,
        'original', f.original, 'place', f.place)) FROM first_in_thread(v_chat, b.id) f WHERE f.id IS NOT NULL) END)
    FROM (SELECT lane, depth FROM below LIMIT 200) q
    CROSS JOIN LATERAL (SELECT b.* FROM branches b
      WHERE b.chat_id = v_chat AND b.head_lane = q.lane AND b.head_depth >= q.depth
      ORDER BY b.chat_id, b.head_lane LIMIT 200) b
    CROSS JOIN LATERAL (SELECT h.created_at FROM messages h
      WHERE h.chat_id = v_chat AND h.lane = b.head_lane AND h.depth = b.head_depth LIMIT 1) h
    ORDER BY b.archived_at IS NOT NULL, h.created_at DESC, b.created_at DESC, b.id LIMIT 1);
END $$;
