-- The names of the last messages of the conversations that an owner's agents with a key said something in last: a list of
-- RecentNames (lib/context/store/records.ts), the latest conversation first, in each the latest message first. `v_most`
-- conversations, `v_last` messages of each. Chains that are not what the agent sends (`moved`) are left out.
CREATE FUNCTION recent_agent_names(v_owner text, v_key text, v_most int, v_last int) RETURNS json LANGUAGE plpgsql STABLE
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off AS $$
DECLARE
  g record;
  l record;
  v_lane int;
  v_top int;
  v_left int;
  v_names json;
  v_all json[] := '{}';
BEGIN
  FOR g IN SELECT a.chat_id, a.message_id FROM chats c JOIN agent_branches a ON a.chat_id = c.id AND a.key_id = v_key
    WHERE c.user_id = v_owner ORDER BY a.called_at DESC, a.branch_id LIMIT v_most
  LOOP
    SELECT lane, depth INTO v_lane, v_top FROM messages WHERE chat_id = g.chat_id AND id = g.message_id;
    v_left := v_last;
    WHILE v_lane IS NOT NULL AND v_left > 0 LOOP
      SELECT parent_lane, base_depth INTO l FROM lanes WHERE chat_id = g.chat_id AND lane = v_lane;
      SELECT json_agg(json_build_object('hash', encode(a.hash, 'hex'), 'chain', encode(coalesce(a.chain, a.hash), 'hex'))
        ORDER BY m.depth DESC) INTO v_names
      FROM messages m CROSS JOIN LATERAL (SELECT x.hash, x.chain FROM agent_nodes x
        WHERE x.chat_id = m.chat_id AND x.message_id = m.id AND NOT x.moved OFFSET 0) a
      WHERE m.chat_id = g.chat_id AND m.lane = v_lane AND m.depth BETWEEN greatest(l.base_depth, v_top - v_left + 1) AND v_top;
      IF v_names IS NOT NULL THEN
        v_all := v_all || json_build_object('chatId', g.chat_id, 'names', v_names);
      END IF;
      v_left := v_left - (v_top - l.base_depth + 1);
      v_lane := l.parent_lane;
      v_top := l.base_depth - 1;
    END LOOP;
  END LOOP;
  RETURN array_to_json(v_all);
END $$;
