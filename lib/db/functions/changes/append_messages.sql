-- Appends a line of messages below `v_parent`, where the branch must stand, moves the branch to the last of them, and
-- records them. When the branch has moved on they land on a new branch with the id `v_other`; without that id the change
-- is refused. A taken place, and a new root, open a lane. A message without `data` has the body of its number in
-- `v_bodies`: text that is copied need not be taken apart as JSON. Answers the place (PlacedMessages).
CREATE FUNCTION append_messages(
  v_chat text, v_branch text, v_parent text, v_other text, v_context text, v_messages json, v_bodies text[], v_actor text,
  v_at timestamptz
) RETURNS jsonb LANGUAGE plpgsql AS $$
DECLARE
  b record;
  m record;
  f record;
  v_lane int;
  v_depth int;
  v_count int;
BEGIN
  -- mostly the branch stands at the parent: then this one look-up says it all. Not with EXISTS: in a small database Postgres
  -- hashes what it asks for, which is every message of the chat
  SELECT k.id, k.name, k.context_id, k.head_lane AS lane, k.head_depth AS depth,
    (SELECT h.id FROM messages h WHERE h.chat_id = v_chat AND h.lane = k.head_lane AND h.depth = k.head_depth) AS head,
    (SELECT n.depth FROM messages n
      WHERE n.chat_id = v_chat AND n.lane = k.head_lane AND n.depth = k.head_depth + 1) IS NOT NULL AS taken
  INTO b FROM branches k WHERE k.chat_id = v_chat AND k.id = v_branch;
  IF NOT FOUND THEN
    PERFORM refuse_missing('Branch', v_branch);
  END IF;
  IF b.head IS DISTINCT FROM v_parent THEN
    SELECT lane, depth INTO m FROM messages WHERE chat_id = v_chat AND id = v_parent;
    IF v_parent IS NOT NULL AND NOT FOUND THEN
      PERFORM refuse_missing('Message', v_parent);
    ELSIF v_other IS NULL THEN
      RAISE EXCEPTION 'Branch "%" has moved on', b.name USING ERRCODE = 'RM409', DETAIL = 'head_moved';
    END IF;
    -- a reply that finished late becomes a sibling on a branch of its own
    SELECT stream_id, event_number INTO f FROM events WHERE chat_id = v_chat AND message_id = v_parent;
    PERFORM add_branch(v_chat, v_other, free_branch_name(v_chat, b.name), m.lane, m.depth, v_parent, f.stream_id,
      coalesce(f.event_number, 0), b.context_id, v_actor, v_at);
    SELECT v_other AS id, b.context_id, m.lane, m.depth, EXISTS (SELECT 1 FROM messages n
      WHERE n.chat_id = v_chat AND n.lane = m.lane AND n.depth = m.depth + 1) AS taken INTO b;
  END IF;

  v_lane := b.lane;
  v_depth := coalesce(b.depth + 1, 0);
  IF v_parent IS NULL OR b.taken THEN
    UPDATE chats SET next_lane = next_lane + 1 WHERE id = v_chat RETURNING next_lane - 1 INTO v_lane;
    INSERT INTO lanes (chat_id, lane, parent_lane, base_depth) VALUES (v_chat, v_lane, b.lane, v_depth);
  END IF;
  IF v_context <> b.context_id OR (v_context IS NOT NULL AND b.context_id IS NULL) THEN
    PERFORM log_event(v_chat, b.id, 'ContextChanged', jsonb_build_object('context_id', v_context), v_actor, v_at);
    b.context_id := v_context;
  END IF;
  INSERT INTO messages (chat_id, lane, depth, id, parent_id, merge_parent_id, copied_from_id, name, type, status,
    data, preview, holds, context_id, run_id, created_at)
  SELECT v_chat, v_lane, v_depth + x.n - 1, x.id, CASE WHEN x.n = 1 THEN v_parent ELSE x."parentId" END,
    x."mergeParentId", x."copiedFromId", x.name, x.type, x.status, coalesce(x.data, v_bodies[x.body]::json), x.preview, x.holds,
    coalesce(x."contextId", b.context_id), x."runId", to_timestamp(x."createdAt" / 1000)
  FROM ROWS FROM (json_to_recordset(v_messages) AS (id text, "parentId" text, "mergeParentId" text, "copiedFromId" text,
    name text, type text, status text, data json, body int, preview text, holds text, "contextId" text, "runId" text,
    "createdAt" double precision)) WITH ORDINALITY
    AS x(id, "parentId", "mergeParentId", "copiedFromId", name, type, status, data, body, preview, holds, "contextId", "runId",
      "createdAt", n);
  GET DIAGNOSTICS v_count = ROW_COUNT;
  -- of a message one event, of a reply two
  INSERT INTO events (chat_id, seq, stream_id, event_number, message_id, type, payload, actor, created_at)
  SELECT v_chat, l.seq + coalesce(x."eventsBefore", 0) + k, b.id, l.number + coalesce(x."eventsBefore", 0) + k,
    CASE WHEN k = 1 THEN x.id END,
    CASE WHEN k = 2 THEN 'CheckpointCreated' WHEN x."copiedFromId" IS NOT NULL THEN 'MessageCopied'
      WHEN x.name <> 'assistant' THEN 'UserMessageAdded' ELSE 'LLMResponseGenerated' END,
    CASE WHEN k = 1 AND x."copiedFromId" IS NOT NULL THEN
        jsonb_build_object('message_id', x.id, 'role', x.name, 'copied_from_id', x."copiedFromId")
      WHEN x.name <> 'assistant' THEN jsonb_build_object('message_id', x.id, 'role', x.name)
      WHEN k = 1 THEN jsonb_build_object('ai_message_id', x.id,
        'reply_to', coalesce(x."parentId", v_parent),
        'status', coalesce(x.status, 'completed'), 'model', x.reply -> 'model', 'usage', x.reply -> 'usage')
        || CASE WHEN x.reply ? 'imported' THEN '{"imported": true}'::jsonb ELSE '{}'::jsonb END
      ELSE jsonb_build_object('checkpoint_id', 'ckpt-' || x.id, 'ai_message_id', x.id,
        'context_id', coalesce(x."contextId", b.context_id)) END,
    v_actor, coalesce(to_timestamp(x.dated / 1000), v_at)
  FROM json_to_recordset(v_messages) AS x(id text, "parentId" text, "copiedFromId" text, name text, status text, "contextId" text,
    reply jsonb, "eventsBefore" int, dated double precision) CROSS JOIN (VALUES (1), (2)) AS k(k), (
    SELECT (SELECT seq FROM events WHERE chat_id = v_chat ORDER BY seq DESC LIMIT 1) AS seq,
      (SELECT event_number FROM events WHERE chat_id = v_chat AND stream_id = b.id
        ORDER BY event_number DESC LIMIT 1) AS number) l
  WHERE k = 1 OR x.name = 'assistant';
  UPDATE branches SET head_lane = v_lane, head_depth = v_depth + v_count - 1, context_id = b.context_id
  WHERE chat_id = v_chat AND id = b.id;
  RETURN jsonb_build_object('branchId', b.id, 'lane', v_lane, 'depth', v_depth, 'count', v_count,
    'opened', v_lane IS DISTINCT FROM b.lane, 'parentLane', b.lane);
END $$;
