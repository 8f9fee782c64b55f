-- The first of some hashes that an owner's message is named by, with where that message stands (AgentNode of
-- lib/context/store/records.ts); null when there is none. Each hash is one look at the key: a call that goes on is found by
-- its first or second, and one that is new by none. `v_chat`: of that chat only.
CREATE FUNCTION find_agent_node(v_owner text, v_hashes text[], v_chat text) RETURNS json LANGUAGE plpgsql STABLE
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off AS $$
DECLARE
  a agent_nodes%rowtype;
  m record;
BEGIN
  FOR i IN 1 .. coalesce(array_length(v_hashes, 1), 0) LOOP
    SELECT * INTO a FROM agent_nodes WHERE owner_id = v_owner AND hash = decode(v_hashes[i], 'hex')
      AND (v_chat IS NULL OR chat_id = v_chat);
    IF FOUND THEN
      SELECT lane, depth, parent_id, context_id INTO m FROM messages WHERE chat_id = a.chat_id AND id = a.message_id;
      RETURN json_build_object('hash', v_hashes[i], 'chatId', a.chat_id,
        'called', (SELECT coalesce(c.alias, c.id) FROM chats c WHERE c.id = a.chat_id),
        'messageId', a.message_id, 'chain', coalesce(encode(a.chain, 'hex'), v_hashes[i]), 'moved', a.moved,
        'parentId', m.parent_id, 'contextId', m.context_id,
        'recordedOn', (SELECT e.stream_id FROM events e WHERE e.chat_id = a.chat_id AND e.message_id = a.message_id LIMIT 1),
        'opensOn', (SELECT c.active_branch_id FROM chats c
          JOIN agent_branches g ON g.chat_id = c.id AND g.branch_id = c.active_branch_id
          JOIN branches b ON b.chat_id = c.id AND b.id = c.active_branch_id
          JOIN messages h ON h.chat_id = c.id AND h.lane = b.head_lane AND h.depth = b.head_depth AND h.id = g.message_id
          WHERE c.id = a.chat_id AND c.undo_seq IS NULL),
        -- looked up by the few branches that are steered, if any
        'steered', (SELECT json_build_object('branchId', s.branch_id, 'to', json_build_object('id', t.id, 'name', t.name,
              'contextId', t.context_id, 'headId', h.id,
              'isOpen', t.archived_at IS NULL AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.chat_id = t.chat_id
                AND r.branch_id = t.id AND r.status IN ('queued', 'running'))))
          FROM agent_steers s
          JOIN agent_branches g ON g.chat_id = s.chat_id AND g.branch_id = s.branch_id AND g.message_id = a.message_id
          JOIN branches t ON t.chat_id = s.chat_id AND t.id = s.target_id
          LEFT JOIN messages h ON h.chat_id = t.chat_id AND h.lane = t.head_lane AND h.depth = t.head_depth
          WHERE s.chat_id = a.chat_id AND s.followed_at IS NULL ORDER BY s.created_at DESC LIMIT 1),
        'branches', (SELECT coalesce(json_agg(json_build_object('id', b.id, 'name', b.name, 'contextId', b.context_id,
            'isOpen', b.archived_at IS NULL AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.chat_id = b.chat_id
              AND r.branch_id = b.id AND r.status IN ('queued', 'running'))) ORDER BY b.created_at, b.id), '[]')
          FROM branches b WHERE b.chat_id = a.chat_id AND b.head_lane = m.lane AND b.head_depth = m.depth));
    END IF;
  END LOOP;
  RETURN NULL;
END $$;
