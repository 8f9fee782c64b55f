-- Appends a line of messages below `v_parent`, where the branch must stand, moves the branch to the last of them, and
-- records them. When the branch has moved on they land on a new branch with the id `v_other`; without that id the change
-- is refused. A taken place, and a new root, open a lane. Answers the place (PlacedMessages).
CREATE FUNCTION append_messages(
  v_chat text, v_branch text, v_parent text, v_other text, v_context text, v_messages json, v_actor text, v_at timestamptz
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  b branches%rowtype := find_branch(v_chat, v_branch);
  f record;
  v_parent_lane int;
  v_parent_depth int;
  v_lane int;
  v_depth int;
  v_count int;
  v_seq bigint;
  v_number int;
BEGIN
  IF v_parent IS NOT NULL THEN
    SELECT lane, depth INTO v_parent_lane, v_parent_depth FROM messages WHERE chat_id = v_chat AND id = v_parent;
    IF NOT FOUND THEN
      PERFORM refuse_missing('Message', v_parent);
    END IF;
  END IF;
  IF (b.head_lane, b.head_depth) IS DISTINCT FROM (v_parent_lane, v_parent_depth) THEN
    IF v_other IS NULL THEN
      RAISE EXCEPTION 'Branch "%" has moved on', b.name USING ERRCODE = 'RM409', DETAIL = 'head_moved';
    END IF;
    -- a reply that finished late becomes a sibling on a branch of its own
    SELECT stream_id, event_number INTO f FROM events WHERE chat_id = v_chat AND message_id = v_parent;
    PERFORM add_branch(v_chat, v_other, free_branch_name(v_chat, b.name), v_parent_lane, v_parent_depth, v_parent,
      f.stream_id, coalesce(f.event_number, 0), b.context_id, v_actor, v_at);
    b := find_branch(v_chat, v_other);
  END IF;

  v_lane := v_parent_lane;
  v_depth := coalesce(v_parent_depth + 1, 0);
  IF v_parent IS NULL OR EXISTS (SELECT 1 FROM messages WHERE chat_id = v_chat AND lane = v_lane AND depth = v_depth) THEN
    UPDATE chats SET next_lane = next_lane + 1 WHERE id = v_chat RETURNING next_lane - 1 INTO v_lane;
    INSERT INTO lanes (chat_id, lane, parent_lane, base_depth) VALUES (v_chat, v_lane, v_parent_lane, v_depth);
  END IF;
  INSERT INTO messages (chat_id, lane, depth, id, parent_id, merge_parent_id, copied_from_id, name, type, status,
    data, preview, context_id, run_id, created_at)
  SELECT v_chat, v_lane, v_depth + x.n::int - 1, x.id, CASE WHEN x.n = 1 THEN v_parent ELSE x."parentId" END,
    x."mergeParentId", x."copiedFromId", x.name, x.type, x.status, x.data, x.preview,
    coalesce(x."contextId", v_context, b.context_id), x."runId", to_timestamp(x."createdAt" / 1000)
  FROM ROWS FROM (json_to_recordset(v_messages) AS (id text, "parentId" text, "mergeParentId" text,
    "copiedFromId" text, name text, type text, status text, data json, preview text, "contextId" text, "runId" text,
    "createdAt" double precision)) WITH ORDINALITY
    AS x(id, "parentId", "mergeParentId", "copiedFromId", name, type, status, data, preview, "contextId", "runId",
      "createdAt", n);
  GET DIAGNOSTICS v_count = ROW_COUNT;
  IF v_count = 0 OR v_count <> json_array_length(v_messages) THEN
    RAISE EXCEPTION 'stored % of % messages', v_count, json_array_length(v_messages) USING ERRCODE = 'RM001';
  END IF;
  UPDATE branches SET head_lane = v_lane, head_depth = v_depth + v_count - 1, context_id = coalesce(v_context, context_id)
  WHERE chat_id = v_chat AND id = b.id;

  IF v_context IS DISTINCT FROM b.context_id AND v_context IS NOT NULL THEN
    PERFORM log_event(v_chat, b.id, 'ContextChanged', jsonb_build_object('context_id', v_context), v_actor, v_at);
  END IF;
  v_seq := last_seq(v_chat);
  v_number := thread_number(v_chat, b.id);
  -- of a message one event, of a reply two
  INSERT INTO events (chat_id, seq, stream_id, event_number, message_id, type, payload, actor, created_at)
  SELECT v_chat, v_seq + row_number() OVER w, b.id, v_number + row_number() OVER w,
    CASE WHEN k = 1 THEN x.id END,
    CASE WHEN x.name <> 'assistant' THEN 'UserMessageAdded' WHEN k = 1 THEN 'LLMResponseGenerated'
      ELSE 'CheckpointCreated' END,
    CASE WHEN x.name <> 'assistant' THEN jsonb_build_object('message_id', x.id, 'role', x.name)
      WHEN k = 1 THEN jsonb_build_object('ai_message_id', x.id,
        'reply_to', CASE WHEN x.n = 1 THEN v_parent ELSE x."parentId" END,
        'status', coalesce(x.status, 'completed'), 'model', x.reply -> 'model', 'usage', x.reply -> 'usage')
      ELSE jsonb_build_object('checkpoint_id', 'ckpt-' || x.id, 'ai_message_id', x.id,
        'context_id', coalesce(x."contextId", v_context, b.context_id)) END,
    v_actor, v_at
  FROM ROWS FROM (json_to_recordset(v_messages) AS (id text, "parentId" text, name text, status text,
    "contextId" text, reply jsonb)) WITH ORDINALITY AS x(id, "parentId", name, status, "contextId", reply, n)
  CROSS JOIN LATERAL generate_series(1, CASE WHEN x.name = 'assistant' THEN 2 ELSE 1 END) k
  WINDOW w AS (ORDER BY x.n, k);
  RETURN jsonb_build_object('branchId', b.id, 'lane', v_lane, 'depth', v_depth, 'count', v_count,
    'opened', v_lane IS DISTINCT FROM v_parent_lane, 'parentLane', v_parent_lane);
END $$;
