-- Reads the parts of a chat that some changes look at (Needs of lib/context/commit/slice.ts); null where there is no such chat. What
-- is asked for and not there is left out. A branch comes with the message that it stands at, and a message to fork at with the
-- thread that recorded it.
-- Every part is a few look-ups by keys: joined, once the plan is kept, they read all branches or messages of a chat.
CREATE FUNCTION read_slice(v_chat text, a json) RETURNS json LANGUAGE plpgsql STABLE
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off AS $$
DECLARE
  c chats%rowtype;
  n record;
  b record;
  m record;
  v_id text;
  v_ids text[];
  v_branches json[] := '{}';
  v_messages json[] := '{}';
BEGIN
  SELECT * INTO c FROM chats WHERE id = v_chat;
  IF NOT FOUND THEN
    RETURN NULL;
  END IF;
  SELECT * INTO n FROM json_to_record(a) AS x(branches text[], messages text[], forks text[], checkpoints text[], names text[],
    "freeNames" json, contexts text[], runs text[], stands json, steerings text[], moves bigint[]);
  v_ids := n.branches;
  FOREACH v_id IN ARRAY coalesce(n.forks, '{}') LOOP
    v_ids := v_ids || (SELECT e.stream_id FROM events e WHERE e.chat_id = v_chat AND e.message_id = v_id);
  END LOOP;
  FOREACH v_id IN ARRAY coalesce(v_ids, '{}') LOOP
    SELECT k.*, h.id AS head, h.parent_id, h.context_id AS said_in, e.stream_id, e.event_number, (SELECT u.depth FROM messages u WHERE u.chat_id = v_chat
        AND u.lane = k.head_lane AND u.depth = k.head_depth + 1) IS NOT NULL AS taken INTO b
    FROM branches k LEFT JOIN LATERAL (SELECT * FROM messages h WHERE h.chat_id = v_chat AND h.lane = k.head_lane
      AND h.depth = k.head_depth OFFSET 0) h ON true
    LEFT JOIN LATERAL (SELECT * FROM events e WHERE e.chat_id = v_chat AND e.message_id = h.id OFFSET 0) e ON true
    WHERE k.chat_id = v_chat AND k.id = v_id;
    IF FOUND THEN
      v_branches := v_branches || json_build_object('id', b.id, 'name', b.name, 'title', b.title,
        'parentThreadId', b.parent_branch_id, 'fromEventNumber', b.from_event_number, 'headMessageId', b.head,
        'contextId', b.context_id, 'createdAt', epoch_ms(b.created_at), 'archivedAt', epoch_ms(b.archived_at),
        'number', (SELECT e.event_number FROM events e WHERE e.chat_id = v_chat AND e.stream_id = b.id
          ORDER BY e.event_number DESC LIMIT 1), 'head', CASE WHEN b.head IS NOT NULL THEN json_build_object('lane', b.head_lane,
          'depth', b.head_depth, 'taken', b.taken, 'threadId', b.stream_id, 'eventNumber', b.event_number,
          'parentId', b.parent_id, 'contextId', b.said_in) END,
        'context', (SELECT json_build_object('model', x.model, 'leftOut', x.setup -> 'leftOut') FROM contexts x
          WHERE x.chat_id = v_chat AND x.id = b.context_id));
    END IF;
  END LOOP;
  FOREACH v_id IN ARRAY coalesce(n.messages, '{}') || coalesce(n.forks, '{}') LOOP
    SELECT h.lane, h.depth, h.parent_id, h.context_id, e.stream_id, e.event_number, (SELECT u.depth FROM messages u
      WHERE u.chat_id = v_chat AND u.lane = h.lane AND u.depth = h.depth + 1) IS NOT NULL AS taken INTO m
    FROM messages h LEFT JOIN LATERAL (SELECT * FROM events e WHERE e.chat_id = v_chat AND e.message_id = v_id OFFSET 0) e ON true
    WHERE h.chat_id = v_chat AND h.id = v_id;
    IF FOUND THEN
      v_messages := v_messages || json_build_object('id', v_id, 'lane', m.lane, 'depth', m.depth, 'taken', m.taken,
        'threadId', m.stream_id, 'eventNumber', m.event_number, 'parentId', m.parent_id, 'contextId', m.context_id);
    END IF;
  END LOOP;
  RETURN json_build_object('ownerId', c.user_id, 'title', c.title, 'activeThreadId', c.active_branch_id, 'nextLane', c.next_lane,
    'seq', c.last_seq, 'number', coalesce((SELECT e.event_number FROM events e WHERE e.chat_id = v_chat AND e.stream_id = v_chat
      ORDER BY e.event_number DESC LIMIT 1), 0), 'undoSeq', c.undo_seq, 'redoSeq', c.redo_seq,
    'createdAt', epoch_ms(c.created_at), 'branches', to_json(v_branches), 'messages', to_json(v_messages),
    'checkpoints', (SELECT json_agg(json_build_object('id', k.id, 'name', k.name, 'savedAt', epoch_ms(k.created_at),
        'messageId', (SELECT h.id FROM messages h WHERE h.chat_id = v_chat AND h.lane = k.lane AND h.depth = k.depth)))
      FROM unnest(n.checkpoints) x(name) CROSS JOIN LATERAL (SELECT * FROM checkpoints k
        WHERE k.chat_id = v_chat AND k.name = x.name OFFSET 0) k),
    'names', (SELECT json_agg(json_build_object('name', x.name, 'id', (SELECT k.id FROM branches k
        WHERE k.chat_id = v_chat AND k.name = x.name))) FROM unnest(n.names) x(name)),
    'freeNames', (SELECT json_agg(json_build_object('base', x.base, 'names', free_branch_names(v_chat, x.base, x.count)))
      FROM json_to_recordset(n."freeNames") x(base text, count int)),
    'contexts', (SELECT json_agg(json_build_object('id', k.id, 'model', k.model, 'leftOut', k.setup -> 'leftOut'))
      FROM unnest(n.contexts) x(id) CROSS JOIN LATERAL (SELECT * FROM contexts k
        WHERE k.chat_id = v_chat AND k.id = x.id OFFSET 0) k),
    'runs', (SELECT json_agg(json_build_object('id', k.id, 'branchId', k.branch_id, 'replyTo', k.reply_to, 'status', k.status,
        'fence', k.fence)) FROM unnest(n.runs) x(id) CROSS JOIN LATERAL (SELECT * FROM runs k
        WHERE k.chat_id = v_chat AND k.id = x.id OFFSET 0) k),
    'stands', (SELECT json_agg(json_build_object('threadId', x."threadId", 'number', x.number, 'head', s.head,
        'contextId', s.context)) FROM json_to_recordset(n.stands) x("threadId" text, number int)
      CROSS JOIN LATERAL thread_at(v_chat, x."threadId", x.number) s),
    'steerings', (SELECT json_agg(json_build_object('branchId', k.branch_id, 'to', k.target_id, 'at', epoch_ms(k.created_at),
        'followedAt', epoch_ms(k.followed_at))) FROM unnest(n.steerings) x(id) CROSS JOIN LATERAL (SELECT * FROM agent_steers k
        WHERE k.chat_id = v_chat AND k.branch_id = x.id OFFSET 0) k),
    'moves', (SELECT json_agg(json_build_object('seq', e.seq, 'firstSeq', e.payload -> 'first_seq', 'previous',
        e.payload -> 'previous')) FROM unnest(n.moves) x(seq) CROSS JOIN LATERAL (SELECT * FROM events e
        WHERE e.chat_id = v_chat AND e.seq = x.seq AND e.type = 'MoveMade' OFFSET 0) e));
END $$;
