-- Sets the refs and the usage of a chat to what its log said up to event `seq`, under the chat's lock. Writes no event.
-- Returns false, and does nothing, when the chat is gone or its log has grown since.
CREATE FUNCTION rebuild_chat(p json) RETURNS boolean LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
  q record;
  v_chat text;
  v_missing text;
BEGIN
  SELECT * INTO q FROM json_to_record(p) AS x("chatId" text, seq bigint, title text, metadata jsonb, "activeBranchId" text,
    "undoSeq" bigint, "redoSeq" bigint, "createdAt" double precision, "updatedAt" double precision, branches json, checkpoints json,
    steerings json);
  v_chat := q."chatId";
  PERFORM 1 FROM chats WHERE id = v_chat FOR NO KEY UPDATE;
  -- keeps the follower in its place until this ends; locked before the branches, in the follower's own order
  PERFORM 1 FROM followers WHERE name = 'usage' FOR UPDATE;
  IF NOT EXISTS (SELECT 1 FROM chats WHERE id = v_chat) OR (SELECT max(seq) FROM events WHERE chat_id = v_chat) IS DISTINCT FROM q.seq THEN
    RETURN false;
  END IF;
  SELECT r."messageId" INTO v_missing FROM (
    SELECT x."messageId" FROM json_to_recordset(q.branches) AS x("messageId" text)
    UNION ALL SELECT x."messageId" FROM json_to_recordset(q.checkpoints) AS x("messageId" text)) r
  LEFT JOIN messages m ON m.chat_id = v_chat AND m.id = r."messageId"
  WHERE r."messageId" IS NOT NULL AND m.id IS NULL LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'message "%" is lost', v_missing USING ERRCODE = 'RM001';
  END IF;

  -- a branch gives up its name first where another branch gets it
  UPDATE branches SET name = 'rebuild ' || gen_random_uuid()
  WHERE chat_id = v_chat AND (id, name) NOT IN (SELECT x.id, x.name FROM json_to_recordset(q.branches) AS x(id text, name text));
  INSERT INTO branches AS b (chat_id, id, name, title, head_lane, head_depth, parent_branch_id, from_event_number, context_id,
    created_at, archived_at)
  SELECT v_chat, x.id, x.name, x.title, m.lane, m.depth, x."parentId", x."fromEventNumber", x."contextId",
    to_timestamp(x."createdAt" / 1000), to_timestamp(x."archivedAt" / 1000)
  FROM json_to_recordset(q.branches) AS x(id text, name text, title text, "messageId" text, "parentId" text, "fromEventNumber" int,
    "contextId" text, "createdAt" double precision, "archivedAt" double precision)
  LEFT JOIN messages m ON m.chat_id = v_chat AND m.id = x."messageId"
  ON CONFLICT (chat_id, id) DO UPDATE SET name = excluded.name, title = excluded.title,
    head_lane = excluded.head_lane, head_depth = excluded.head_depth, parent_branch_id = excluded.parent_branch_id,
    from_event_number = excluded.from_event_number, context_id = excluded.context_id, created_at = excluded.created_at,
    archived_at = excluded.archived_at
  WHERE (b.name, b.title, b.head_lane, b.head_depth, b.parent_branch_id, b.from_event_number, b.context_id, epoch_ms(b.created_at),
    epoch_ms(b.archived_at)) IS DISTINCT FROM (excluded.name, excluded.title, excluded.head_lane, excluded.head_depth,
    excluded.parent_branch_id, excluded.from_event_number, excluded.context_id, epoch_ms(excluded.created_at),
    epoch_ms(excluded.archived_at));

  UPDATE chats SET title = q.title, metadata = q.metadata, active_branch_id = q."activeBranchId", last_seq = q.seq,
    undo_seq = q."undoSeq", redo_seq = q."redoSeq",
    next_lane = (SELECT coalesce(max(lane) + 1, 0) FROM lanes WHERE chat_id = v_chat),
    created_at = CASE WHEN epoch_ms(created_at) = q."createdAt" THEN created_at ELSE to_timestamp(q."createdAt" / 1000) END,
    -- a queued run touches the chat too, and logs nothing
    updated_at = greatest(updated_at, to_timestamp(q."updatedAt" / 1000))
  WHERE id = v_chat;

  DELETE FROM checkpoints
  WHERE chat_id = v_chat AND (id, name) NOT IN (SELECT x.id, x.name FROM json_to_recordset(q.checkpoints) AS x(id text, name text));
  INSERT INTO checkpoints AS k (chat_id, id, name, lane, depth, created_at)
  SELECT v_chat, x.id, x.name, m.lane, m.depth, to_timestamp(x."savedAt" / 1000)
  FROM json_to_recordset(q.checkpoints) AS x(id text, name text, "messageId" text, "savedAt" double precision)
  JOIN messages m ON m.chat_id = v_chat AND m.id = x."messageId"
  ON CONFLICT (chat_id, id) DO UPDATE SET lane = excluded.lane, depth = excluded.depth, created_at = excluded.created_at
  WHERE (k.lane, k.depth, epoch_ms(k.created_at)) IS DISTINCT FROM (excluded.lane, excluded.depth, epoch_ms(excluded.created_at));

  DELETE FROM agent_steers
  WHERE chat_id = v_chat AND branch_id NOT IN (SELECT x."branchId" FROM json_to_recordset(q.steerings) AS x("branchId" text));
  INSERT INTO agent_steers (chat_id, branch_id, target_id, created_at, followed_at)
  SELECT v_chat, x."branchId", x."toId", to_timestamp(x.at / 1000), to_timestamp(x."followedAt" / 1000)
  FROM json_to_recordset(q.steerings) AS x("branchId" text, "toId" text, at double precision, "followedAt" double precision)
  ON CONFLICT (chat_id, branch_id) DO UPDATE SET target_id = excluded.target_id, created_at = excluded.created_at,
    followed_at = excluded.followed_at;

  DELETE FROM agent_branches g WHERE g.chat_id = v_chat AND NOT EXISTS (SELECT 1 FROM events e
    WHERE e.chat_id = v_chat AND e.message_id = g.message_id AND e.stream_id = g.branch_id);
  INSERT INTO agent_branches (chat_id, branch_id, message_id, called_at)
  SELECT DISTINCT ON (e.stream_id) v_chat, e.stream_id, e.message_id, e.created_at
  FROM agent_nodes a JOIN events e ON e.chat_id = a.chat_id AND e.message_id = a.message_id
  WHERE a.chat_id = v_chat ORDER BY e.stream_id, e.event_number DESC
  ON CONFLICT (chat_id, branch_id) DO NOTHING;

  DELETE FROM usage
  WHERE chat_id = v_chat AND (branch_id, model) NOT IN (SELECT u.branch_id, u.model FROM usage_by_log(v_chat) u);
  INSERT INTO usage AS k (chat_id, branch_id, model, replies, input_tokens, cached_tokens, cache_write_tokens, output_tokens)
  SELECT v_chat, u.branch_id, u.model, u.replies, u.input_tokens, u.cached_tokens, u.cache_write_tokens, u.output_tokens
  FROM usage_by_log(v_chat) u
  ON CONFLICT (chat_id, branch_id, model) DO UPDATE SET replies = excluded.replies, input_tokens = excluded.input_tokens,
    cached_tokens = excluded.cached_tokens, cache_write_tokens = excluded.cache_write_tokens,
    output_tokens = excluded.output_tokens
  WHERE k IS DISTINCT FROM excluded;

  -- branches that the log does not know; one with runs is an error (foreign key), which rolls all of it back
  DELETE FROM branches
  WHERE chat_id = v_chat AND id NOT IN (SELECT x.id FROM json_to_recordset(q.branches) AS x(id text));
  RETURN true;
END $$;
