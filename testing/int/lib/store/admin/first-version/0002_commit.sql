-- Longer than 400 lines because it is one function: everything in it happens under one lock, in one order.
-- The one write of the store: everything a change does, in one transaction and one round trip.
-- It locks the chat's row first, so writes within a chat are serial and the rest can be simple.
-- `p` is the Change of lib/context/store/change.ts. Refusals: RM404 (not found), RM409 (conflict; DETAIL names which).

-- The lowest free "{base}-v{n}", n >= 2; archived names count as taken. Very long bases are cut, names are limited.
-- One pass over the chat's names: asking for each number in turn costs a look-up per branch.
CREATE FUNCTION free_branch_name(v_chat text, v_base text) RETURNS text LANGUAGE plpgsql STABLE AS $$
DECLARE
  v_stem text := CASE WHEN length(v_base) > 180 THEN left(v_base, 180) || '…' ELSE v_base END || '-v';
  v_taken text[] := ARRAY(SELECT substr(b.name, length(v_stem) + 1) FROM branches b
    WHERE b.chat_id = v_chat AND starts_with(b.name, v_stem));
BEGIN
  RETURN v_stem || (SELECT min(n) FROM generate_series(2, cardinality(v_taken) + 2) n
    WHERE n::text NOT IN (SELECT unnest(v_taken)));
END $$;
--> statement-breakpoint
-- In plpgsql, like everything here that runs on every call and cannot be inlined: it keeps its plans, SQL plans anew.
CREATE FUNCTION log_event(
  v_chat text, v_seq bigint, v_stream text, v_number int, v_type text, v_payload jsonb, v_actor text, v_at timestamptz
) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (chat_id, seq, stream_id, event_number, type, payload, actor, created_at)
  VALUES (v_chat, v_seq, v_stream, v_number, v_type, v_payload, v_actor, v_at);
END $$;
--> statement-breakpoint
-- The last number in the chat's own stream, counting what this change has logged already.
CREATE FUNCTION chat_event_number(v_chat text, v_numbers jsonb) RETURNS int LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN coalesce((v_numbers ->> v_chat)::int, (SELECT e.event_number FROM events e
    WHERE e.chat_id = v_chat AND e.stream_id = v_chat ORDER BY e.event_number DESC LIMIT 1), 0);
END $$;
--> statement-breakpoint
CREATE FUNCTION epoch_ms(t timestamptz) RETURNS double precision LANGUAGE sql STABLE AS $$
  SELECT round(date_part('epoch', t) * 1000) -- extract() goes through numeric: five times the price
$$;
--> statement-breakpoint
CREATE FUNCTION branch_json(k branches, v_head text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', k.id, 'chatId', k.chat_id, 'name', k.name, 'headMessageId', v_head,
    'headLane', k.head_lane, 'headDepth', k.head_depth, 'parentBranchId', k.parent_branch_id,
    'fromEventNumber', k.from_event_number, 'contextId', k.context_id,
    'createdAt', epoch_ms(k.created_at), 'archivedAt', epoch_ms(k.archived_at))
$$;
--> statement-breakpoint
CREATE FUNCTION checkpoint_json(k checkpoints, v_message text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', k.id, 'chatId', k.chat_id, 'name', k.name, 'messageId', v_message,
    'createdAt', epoch_ms(k.created_at))
$$;
--> statement-breakpoint
-- Adds a branch and tells of it: what it is, with its context, and where its thread forked. Returns how many events that took.
CREATE FUNCTION add_branch(
  v_chat text, v_id text, v_name text, v_lane int, v_depth int, v_head text, v_stream text, v_from int, v_context text,
  v_seq bigint, v_actor text, v_at timestamptz
) RETURNS int LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO branches (chat_id, id, name, head_lane, head_depth, parent_branch_id, from_event_number, context_id, created_at)
  VALUES (v_chat, v_id, v_name, v_lane, v_depth, v_stream, v_from, v_context, v_at);
  PERFORM log_event(v_chat, v_seq + 1, v_id, v_from + 1, 'ThreadCreated', jsonb_build_object(
    'thread_id', v_id, 'name', v_name, 'head_message_id', v_head, 'context_id', v_context), v_actor, v_at);
  IF v_stream IS NULL THEN
    RETURN 1;
  END IF;
  PERFORM log_event(v_chat, v_seq + 2, v_id, v_from + 2, 'ThreadForked', jsonb_build_object(
    'parent_thread_id', v_stream, 'from_event_number', v_from), v_actor, v_at);
  RETURN 2;
END $$;
--> statement-breakpoint
-- Every statement in it looks a few rows up by their keys, so its plans are made once and never for a table as small as
-- it happens to be at the time: planned with the values in hand, a chat without statistics was read whole for every turn.
CREATE FUNCTION commit_change(p json) RETURNS json LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $fn$
#variable_conflict use_column
DECLARE
  -- the change and its steps are parsed once, into records: every -> parses all of a change, bodies included
  q record;
  n record;
  s record;
  v_chat text;
  v_owner text;
  v_actor text;
  v_at timestamptz;
  c chats%rowtype;
  b branches%rowtype;
  v_created boolean := false;
  v_numbers jsonb := '{}';          -- last event number of every stream this change has touched
  v_stream text;
  v_number int;
  v_touched text[] := '{}';
  v_marks text[] := '{}';
  v_unmarked text[] := '{}';
  v_placed jsonb := '[]';
  v_landed text;                    -- the branch the last messages of this change landed on
  v_id text;
  v_name text;
  v_text text;
  v_lane int;
  v_depth int;
  v_plane int;
  v_pdepth int;
  v_parent text;
  v_context text;
  v_fence int;
  v_count int;
  v_from int;
  v_payload jsonb;
BEGIN
  SELECT * INTO q FROM json_to_record(p) AS x("chatId" text, "ownerId" text, actor text, at double precision,
    "create" json, contexts json, steps json);
  v_chat := q."chatId"; v_owner := q."ownerId"; v_actor := coalesce(q.actor, q."ownerId");
  v_at := to_timestamp(q.at / 1000);

  IF q."create" IS NOT NULL THEN
    SELECT * INTO n FROM json_to_record(q."create") AS x("userId" text, title text, metadata jsonb, "branchId" text,
      "branchName" text, "contextId" text);
    INSERT INTO chats (id, user_id, title, metadata, active_branch_id, created_at, updated_at)
    VALUES (v_chat, n."userId", n.title, coalesce(n.metadata, '{}'), n."branchId", v_at, v_at)
    ON CONFLICT (id) DO NOTHING;
    v_created := FOUND;
  END IF;

  SELECT * INTO c FROM chats WHERE id = v_chat FOR NO KEY UPDATE;
  IF NOT FOUND OR (v_owner IS NOT NULL AND c.user_id <> v_owner) THEN
    RAISE EXCEPTION 'Chat "%" not found', v_chat USING ERRCODE = 'RM404', DETAIL = 'chat';
  END IF;

  IF q.contexts IS NOT NULL THEN
    INSERT INTO contexts (chat_id, id, fragments, model, created_at)
    SELECT v_chat, x.id, x.fragments, x.model, v_at
    FROM json_to_recordset(q.contexts) AS x(id text, fragments json, model text)
    ON CONFLICT (chat_id, id) DO NOTHING;
  END IF;

  IF v_created THEN
    v_id := n."branchId";
    v_count := add_branch(v_chat, v_id, coalesce(n."branchName", 'main'), null, null, null, null, 0,
      n."contextId", c.last_seq, v_actor, v_at);
    c.last_seq := c.last_seq + v_count;
    v_touched := v_touched || v_id;
    v_numbers := jsonb_set(v_numbers, ARRAY[v_id], to_jsonb(v_count));
    IF c.title IS NOT NULL THEN
      c.last_seq := c.last_seq + 1;
      v_numbers := jsonb_set(v_numbers, ARRAY[v_chat], '1');
      PERFORM log_event(v_chat, c.last_seq, v_chat, 1, 'ChatRenamed', jsonb_build_object('title', c.title), v_actor, v_at);
    END IF;
    IF c.metadata <> '{}' THEN
      c.last_seq := c.last_seq + 1;
      v_number := coalesce((v_numbers ->> v_chat)::int, 0) + 1;
      v_numbers := jsonb_set(v_numbers, ARRAY[v_chat], to_jsonb(v_number));
      PERFORM log_event(v_chat, c.last_seq, v_chat, v_number, 'ChatUpdated',
        jsonb_build_object('metadata', c.metadata), v_actor, v_at);
    END IF;
  END IF;

  FOR s IN SELECT * FROM json_to_recordset(q.steps) AS x(kind text, "branchId" text, "expectedHead" text,
    "orBranchId" text, "contextId" text, messages json, name text, after text, at text, fork json, activate boolean,
    "checkpointId" text, "messageId" text, title text, metadata jsonb, "runId" text, "replyTo" text, "replyId" text,
    model text, "leaseMs" double precision, fence int, status text, error jsonb)
  LOOP
    CASE s.kind

    WHEN 'open-branch' THEN
      v_lane := null; v_depth := null; v_context := null; v_stream := null; v_from := 0; v_parent := s.at;
      IF v_parent IS NOT NULL THEN
        SELECT lane, depth, context_id INTO v_lane, v_depth, v_context FROM messages
        WHERE chat_id = v_chat AND id = v_parent;
        IF NOT FOUND THEN
          RAISE EXCEPTION 'Message "%" not found', v_parent USING ERRCODE = 'RM404', DETAIL = 'message';
        END IF;
      END IF;
      -- the thread forked from is the one that recorded the message, at the number it has there
      v_id := s.fork ->> 'messageId';
      IF v_id IS NOT NULL THEN
        SELECT e.stream_id, e.event_number INTO v_stream, v_from FROM events e
        WHERE e.chat_id = v_chat AND e.message_id = v_id LIMIT 1;
        IF NOT FOUND THEN
          RAISE EXCEPTION 'Message "%" not found', v_id USING ERRCODE = 'RM404', DETAIL = 'message';
        END IF;
        IF (s.fork ->> 'before')::boolean THEN
          v_from := CASE WHEN v_parent IS NULL THEN 0 ELSE v_from - 1 END;
        END IF;
      END IF;
      SELECT * INTO b FROM branches WHERE chat_id = v_chat AND id = v_stream;
      v_name := s.name;
      IF v_name IS NULL THEN
        v_name := free_branch_name(v_chat, s.after);
      ELSIF EXISTS (SELECT 1 FROM branches WHERE chat_id = v_chat AND name = v_name) THEN
        RAISE EXCEPTION 'A branch named "%" exists already', v_name USING ERRCODE = 'RM409', DETAIL = 'name_taken';
      END IF;
      v_id := s."branchId";
      v_count := add_branch(v_chat, v_id, v_name, v_lane, v_depth, v_parent, v_stream, v_from,
        coalesce(s."contextId", v_context, b.context_id), c.last_seq, v_actor, v_at);
      c.last_seq := c.last_seq + v_count;
      v_touched := v_touched || v_id;
      v_numbers := jsonb_set(v_numbers, ARRAY[v_id], to_jsonb(v_from + v_count));
      IF s.activate THEN
        v_text := c.active_branch_id;
        c.active_branch_id := s."branchId";
        v_touched := v_touched || v_text;
        v_number := chat_event_number(v_chat, v_numbers) + 1;
        v_numbers := jsonb_set(v_numbers, ARRAY[v_chat], to_jsonb(v_number));
        c.last_seq := c.last_seq + 1;
        PERFORM log_event(v_chat, c.last_seq, v_chat, v_number, 'BranchSwitched', jsonb_build_object(
          'branch_id', c.active_branch_id, 'from_branch_id', v_text), v_actor, v_at);
      END IF;

    WHEN 'append' THEN
      SELECT * INTO b FROM branches WHERE chat_id = v_chat AND id = s."branchId";
      IF NOT FOUND THEN
        RAISE EXCEPTION 'Branch "%" not found', s."branchId" USING ERRCODE = 'RM404', DETAIL = 'branch';
      END IF;
      v_parent := s."expectedHead";
      v_plane := null; v_pdepth := null;
      IF v_parent IS NOT NULL THEN
        SELECT lane, depth INTO v_plane, v_pdepth FROM messages WHERE chat_id = v_chat AND id = v_parent;
        IF NOT FOUND THEN
          RAISE EXCEPTION 'Message "%" not found', v_parent USING ERRCODE = 'RM404', DETAIL = 'message';
        END IF;
      END IF;
      IF (b.head_lane, b.head_depth) IS DISTINCT FROM (v_plane, v_pdepth) THEN
        IF s."orBranchId" IS NULL THEN
          RAISE EXCEPTION 'Branch "%" has moved on', b.name USING ERRCODE = 'RM409', DETAIL = 'head_moved';
        END IF;
        -- a reply that finished late becomes a sibling on a branch of its own
        SELECT e.stream_id, e.event_number INTO v_stream, v_from FROM events e
        WHERE e.chat_id = v_chat AND e.message_id = v_parent LIMIT 1;
        v_id := s."orBranchId";
        v_from := coalesce(v_from, 0);
        v_count := add_branch(v_chat, v_id, free_branch_name(v_chat, b.name), v_plane, v_pdepth, v_parent, v_stream,
          v_from, b.context_id, c.last_seq, v_actor, v_at);
        c.last_seq := c.last_seq + v_count;
        v_numbers := jsonb_set(v_numbers, ARRAY[v_id], to_jsonb(v_from + v_count));
        SELECT * INTO b FROM branches WHERE chat_id = v_chat AND id = v_id;
      END IF;

      IF v_parent IS NULL THEN
        v_lane := c.next_lane; v_depth := 0; c.next_lane := c.next_lane + 1;
        INSERT INTO lanes (chat_id, lane, base_depth) VALUES (v_chat, v_lane, 0);
      ELSE
        v_depth := v_pdepth + 1;
        IF EXISTS (SELECT 1 FROM messages WHERE chat_id = v_chat AND lane = v_plane AND depth = v_depth) THEN
          v_lane := c.next_lane; c.next_lane := c.next_lane + 1;
          INSERT INTO lanes (chat_id, lane, parent_lane, base_depth) VALUES (v_chat, v_lane, v_plane, v_depth);
        ELSE
          v_lane := v_plane;
        END IF;
      END IF;

      INSERT INTO messages (chat_id, lane, depth, id, parent_id, merge_parent_id, copied_from_id, name, type, status,
        data, preview, search, context_id, run_id, created_at)
      SELECT v_chat, v_lane, v_depth + x.n::int - 1, x.id, coalesce(lag(x.id) OVER (ORDER BY x.n), v_parent),
        x."mergeParentId", x."copiedFromId", x.name, x.type, x.status, x.data, x.preview,
        to_tsvector('simple', left(coalesce(message_text(x.data), ''), 100000)),
        coalesce(x."contextId", s."contextId", b.context_id), x."runId", to_timestamp(x."createdAt" / 1000)
      FROM ROWS FROM (json_to_recordset(s.messages) AS (id text, "mergeParentId" text, "copiedFromId" text,
        name text, type text, status text, data json, preview text, "contextId" text, "runId" text,
        "createdAt" double precision)) WITH ORDINALITY
        AS x(id, "mergeParentId", "copiedFromId", name, type, status, data, preview, "contextId", "runId", "createdAt", n);
      GET DIAGNOSTICS v_count = ROW_COUNT;
      IF v_count = 0 OR v_count <> json_array_length(s.messages) THEN
        RAISE EXCEPTION 'stored % of % messages', v_count, json_array_length(s.messages) USING ERRCODE = 'RM001';
      END IF;

      UPDATE branches SET head_lane = v_lane, head_depth = v_depth + v_count - 1,
        context_id = coalesce(s."contextId", context_id) WHERE chat_id = v_chat AND id = b.id;
      v_touched := v_touched || b.id;
      v_landed := b.id;
      v_placed := v_placed || jsonb_build_object('branchId', b.id, 'lane', v_lane, 'depth', v_depth, 'count', v_count,
        'opened', v_parent IS NULL OR v_lane <> v_plane, 'parentLane', v_plane);

      v_number := coalesce((v_numbers ->> b.id)::int, (SELECT e.event_number FROM events e
        WHERE e.chat_id = v_chat AND e.stream_id = b.id ORDER BY e.event_number DESC LIMIT 1));
      IF s."contextId" <> b.context_id OR (s."contextId" IS NOT NULL AND b.context_id IS NULL) THEN
        c.last_seq := c.last_seq + 1;
        v_number := v_number + 1;
        PERFORM log_event(v_chat, c.last_seq, b.id, v_number, 'ContextChanged',
          jsonb_build_object('context_id', s."contextId"), v_actor, v_at);
      END IF;
      INSERT INTO events (chat_id, seq, stream_id, event_number, message_id, type, payload, actor, created_at)
      SELECT v_chat, c.last_seq + row_number() OVER w, b.id, v_number + row_number() OVER w,
        CASE WHEN k.k = 1 THEN x.id END, k.type, k.payload, v_actor, v_at
      FROM (SELECT r.*, coalesce(lag(r.id) OVER (ORDER BY r.n), v_parent) AS parent_id
        FROM ROWS FROM (json_to_recordset(s.messages) AS (id text, name text, status text, "contextId" text, reply jsonb))
          WITH ORDINALITY AS r(id, name, status, "contextId", reply, n)) x
      CROSS JOIN LATERAL (
        SELECT 1 AS k, 'UserMessageAdded' AS type,
          jsonb_build_object('message_id', x.id, 'role', x.name) AS payload WHERE x.name <> 'assistant'
        UNION ALL
        SELECT 1, 'LLMResponseGenerated', jsonb_build_object('ai_message_id', x.id, 'reply_to', x.parent_id,
          'status', coalesce(x.status, 'completed'), 'model', x.reply -> 'model', 'usage', x.reply -> 'usage')
          WHERE x.name = 'assistant'
        UNION ALL
        SELECT 2, 'CheckpointCreated', jsonb_build_object('checkpoint_id', 'ckpt-' || x.id, 'ai_message_id', x.id,
          'context_id', coalesce(x."contextId", s."contextId", b.context_id)) WHERE x.name = 'assistant'
      ) k
      WINDOW w AS (ORDER BY x.n, k.k);
      GET DIAGNOSTICS v_count = ROW_COUNT;
      c.last_seq := c.last_seq + v_count;
      v_numbers := jsonb_set(v_numbers, ARRAY[b.id], to_jsonb(v_number + v_count));

    WHEN 'switch-branch', 'rename-branch', 'archive-branch', 'unarchive-branch' THEN
      SELECT * INTO b FROM branches WHERE chat_id = v_chat AND id = s."branchId";
      IF NOT FOUND THEN
        RAISE EXCEPTION 'Branch "%" not found', s."branchId" USING ERRCODE = 'RM404', DETAIL = 'branch';
      END IF;
      v_name := null;
      IF s.kind = 'switch-branch' AND c.active_branch_id <> b.id THEN
        v_name := 'BranchSwitched';
        v_touched := v_touched || c.active_branch_id;
        v_payload := jsonb_build_object('branch_id', b.id, 'from_branch_id', c.active_branch_id);
        c.active_branch_id := b.id;
      ELSIF s.kind = 'rename-branch' AND b.name <> s.name THEN
        IF EXISTS (SELECT 1 FROM branches WHERE chat_id = v_chat AND name = s.name) THEN
          RAISE EXCEPTION 'A branch named "%" exists already', s.name USING ERRCODE = 'RM409', DETAIL = 'name_taken';
        END IF;
        v_name := 'BranchRenamed';
        v_payload := jsonb_build_object(
          'branch_id', b.id, 'name', s.name, 'previous_name', b.name);
        UPDATE branches SET name = s.name WHERE chat_id = v_chat AND id = b.id;
      ELSIF s.kind = 'archive-branch' AND b.archived_at IS NULL THEN
        IF c.active_branch_id = b.id THEN
          RAISE EXCEPTION 'Branch "%" is the one the chat opens on: switch first', b.name
            USING ERRCODE = 'RM409', DETAIL = 'branch_active';
        END IF;
        v_name := 'BranchArchived';
        v_payload := jsonb_build_object('branch_id', b.id);
        UPDATE branches SET archived_at = v_at WHERE chat_id = v_chat AND id = b.id;
      ELSIF s.kind = 'unarchive-branch' AND b.archived_at IS NOT NULL THEN
        v_name := 'BranchRestored';
        v_payload := jsonb_build_object('branch_id', b.id);
        UPDATE branches SET archived_at = null WHERE chat_id = v_chat AND id = b.id;
      END IF;
      v_touched := v_touched || b.id;
      IF v_name IS NOT NULL THEN
        v_number := chat_event_number(v_chat, v_numbers) + 1;
        c.last_seq := c.last_seq + 1;
        PERFORM log_event(v_chat, c.last_seq, v_chat, v_number, v_name, v_payload, v_actor, v_at);
        v_numbers := jsonb_set(v_numbers, ARRAY[v_chat], to_jsonb(v_number));
      END IF;

    WHEN 'save-checkpoint' THEN
      SELECT lane, depth INTO v_lane, v_depth FROM messages WHERE chat_id = v_chat AND id = s."messageId";
      IF NOT FOUND THEN
        RAISE EXCEPTION 'Message "%" not found', s."messageId" USING ERRCODE = 'RM404', DETAIL = 'message';
      END IF;
      SELECT m.id INTO v_text FROM checkpoints k
      JOIN messages m ON m.chat_id = k.chat_id AND m.lane = k.lane AND m.depth = k.depth
      WHERE k.chat_id = v_chat AND k.name = s.name;
      INSERT INTO checkpoints (chat_id, id, name, lane, depth, created_at)
      VALUES (v_chat, s."checkpointId", s.name, v_lane, v_depth, v_at)
      ON CONFLICT (chat_id, name) DO UPDATE SET lane = excluded.lane, depth = excluded.depth, created_at = excluded.created_at;
      v_marks := v_marks || (s.name);
      v_number := chat_event_number(v_chat, v_numbers) + 1;
      v_numbers := jsonb_set(v_numbers, ARRAY[v_chat], to_jsonb(v_number));
      c.last_seq := c.last_seq + 1;
      PERFORM log_event(v_chat, c.last_seq, v_chat, v_number,
        CASE WHEN v_text IS NULL THEN 'CheckpointSaved' ELSE 'CheckpointMoved' END,
        jsonb_build_object('name', s.name, 'message_id', s."messageId")
          || CASE WHEN v_text IS NULL THEN '{}' ELSE jsonb_build_object('from_message_id', v_text) END, v_actor, v_at);

    WHEN 'remove-checkpoint' THEN
      DELETE FROM checkpoints k USING messages m
      WHERE k.chat_id = v_chat AND k.name = s.name
        AND m.chat_id = k.chat_id AND m.lane = k.lane AND m.depth = k.depth
      RETURNING m.id INTO v_text;
      IF NOT FOUND THEN
        RAISE EXCEPTION 'Checkpoint "%" not found', s.name USING ERRCODE = 'RM404', DETAIL = 'checkpoint';
      END IF;
      v_unmarked := v_unmarked || (s.name);
      v_number := chat_event_number(v_chat, v_numbers) + 1;
      v_numbers := jsonb_set(v_numbers, ARRAY[v_chat], to_jsonb(v_number));
      c.last_seq := c.last_seq + 1;
      PERFORM log_event(v_chat, c.last_seq, v_chat, v_number, 'CheckpointRemoved',
        jsonb_build_object('name', s.name, 'message_id', v_text), v_actor, v_at);

    WHEN 'update-chat' THEN
      IF s.title IS NOT NULL AND c.title IS DISTINCT FROM s.title THEN
        c.title := s.title;
        v_number := chat_event_number(v_chat, v_numbers) + 1;
        v_numbers := jsonb_set(v_numbers, ARRAY[v_chat], to_jsonb(v_number));
        c.last_seq := c.last_seq + 1;
        PERFORM log_event(v_chat, c.last_seq, v_chat, v_number, 'ChatRenamed',
          jsonb_build_object('title', c.title), v_actor, v_at);
      END IF;
      IF s.metadata IS NOT NULL THEN
        c.metadata := c.metadata || s.metadata;
        v_number := chat_event_number(v_chat, v_numbers) + 1;
        v_numbers := jsonb_set(v_numbers, ARRAY[v_chat], to_jsonb(v_number));
        c.last_seq := c.last_seq + 1;
        PERFORM log_event(v_chat, c.last_seq, v_chat, v_number, 'ChatUpdated',
          jsonb_build_object('metadata', s.metadata), v_actor, v_at);
      END IF;

    WHEN 'queue-run' THEN
      INSERT INTO runs (chat_id, id, branch_id, reply_to, reply_id, model, context_id, status, lease_until, fence, created_at)
      SELECT v_chat, s."runId", k.id, s."replyTo", s."replyId", s.model, k.context_id,
        CASE WHEN s."leaseMs" IS NULL THEN 'queued' ELSE 'running' END,
        clock_timestamp() + s."leaseMs" * interval '1 millisecond',
        CASE WHEN s."leaseMs" IS NULL THEN 0 ELSE 1 END, v_at
      FROM branches k JOIN messages h ON h.chat_id = k.chat_id AND h.lane = k.head_lane AND h.depth = k.head_depth
      WHERE k.chat_id = v_chat AND k.id = s."branchId" AND h.id = s."replyTo";
      IF NOT FOUND THEN
        SELECT * INTO b FROM branches WHERE chat_id = v_chat AND id = s."branchId";
        IF NOT FOUND THEN
          RAISE EXCEPTION 'Branch "%" not found', s."branchId" USING ERRCODE = 'RM404', DETAIL = 'branch';
        END IF;
        RAISE EXCEPTION 'Branch "%" has moved on', b.name USING ERRCODE = 'RM409', DETAIL = 'head_moved';
      END IF;
      v_touched := v_touched || s."branchId";

    WHEN 'finish-run' THEN
      UPDATE runs SET status = s.status, error = s.error, ended_at = v_at, lease_until = null
      WHERE chat_id = v_chat AND id = s."runId" AND status = 'running' AND fence = s.fence
      RETURNING branch_id, reply_to INTO v_id, v_parent;
      IF NOT FOUND THEN
        RAISE EXCEPTION 'Run "%" is over or was taken over', s."runId" USING ERRCODE = 'RM409', DETAIL = 'run_over';
      END IF;
      v_touched := v_touched || v_id;
      IF s.status <> 'completed' THEN
        v_id := coalesce(v_landed, v_id);
        v_number := coalesce((v_numbers ->> v_id)::int, (SELECT e.event_number FROM events e
          WHERE e.chat_id = v_chat AND e.stream_id = v_id ORDER BY e.event_number DESC LIMIT 1)) + 1;
        v_numbers := jsonb_set(v_numbers, ARRAY[v_id], to_jsonb(v_number));
        c.last_seq := c.last_seq + 1;
        PERFORM log_event(v_chat, c.last_seq, v_id, v_number,
          CASE s.status WHEN 'stopped' THEN 'ReplyStopped' ELSE 'ReplyFailed' END,
          jsonb_build_object('run_id', s."runId", 'reply_to', v_parent)
            || CASE s.status WHEN 'stopped' THEN '{}'
                 ELSE jsonb_build_object('reason', coalesce(s.error ->> 'message', 'unknown')) END, v_actor, v_at);
      END IF;

    ELSE
      RAISE EXCEPTION 'unknown step %', s.kind USING ERRCODE = 'RM001';
    END CASE;
  END LOOP;

  -- Once in the life of a database: as long as nothing is known of its tables every key looks as good as any other, and
  -- plans that read whole chats for a look-up are kept. Autovacuum would come in a minute; an embedded database has none.
  IF c.last_seq > 30 AND (SELECT k.reltuples FROM pg_class k WHERE k.oid = 'messages'::regclass) < 0 THEN
    ANALYZE chats, branches, lanes, messages, events;
  END IF;

  UPDATE chats SET title = c.title, metadata = c.metadata, active_branch_id = c.active_branch_id, next_lane = c.next_lane,
    last_seq = c.last_seq, updated_at = greatest(updated_at, v_at) WHERE id = v_chat;

  RETURN json_build_object(
    'seq', c.last_seq, 'created', v_created, 'activeBranchId', c.active_branch_id, 'title', c.title,
    'placed', v_placed, 'removedCheckpoints', v_unmarked,
    'branches', (SELECT coalesce(json_agg(branch_json(k, h.id)), '[]') FROM branches k
      LEFT JOIN messages h ON h.chat_id = k.chat_id AND h.lane = k.head_lane AND h.depth = k.head_depth
      WHERE k.chat_id = v_chat AND k.id = ANY (v_touched)),
    'checkpoints', (SELECT coalesce(json_agg(checkpoint_json(k, m.id)), '[]') FROM checkpoints k
      JOIN messages m ON m.chat_id = k.chat_id AND m.lane = k.lane AND m.depth = k.depth
      WHERE k.chat_id = v_chat AND k.name = ANY (v_marks)));
END $fn$;
