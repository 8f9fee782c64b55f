-- Applies a Change (lib/context/store/change.ts): its chat, if it is new, then its steps in order, all in this transaction.
-- The lock on the chat's row makes the writes of one chat serial, and everything below it simple. `v_bodies` are bodies of
-- messages (append_messages), as JSON with character 30 between them, which JSON never holds unescaped. `q` is the use that
-- take_quota counts; null counts nothing. Refusals: RM404 (not found), RM409 (conflict; DETAIL names which).
-- Every statement looks a few rows up by their keys. The settings have its plans made once and on the indexes: planned with
-- the values in hand, or for a table that is still small, they read whole chats.
CREATE FUNCTION commit_change(p json, q json DEFAULT NULL, v_bodies text DEFAULT NULL) RETURNS json LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  -- change and steps are parsed once, into records: every -> parses all of a change, bodies included
  r record;
  s record;
  c chats%rowtype;
  v_actor text;
  v_at timestamptz;
  v_dated timestamptz;              -- of a step
  v_texts text[] := string_to_array(v_bodies, chr(30)); -- once: a chat that is restored has many appends
  v_created boolean := false;
  v_contexts bigint := 0;           -- bytes of those that are new
  v_branches text[] := '{}';        -- that this change has touched
  v_checkpoints text[] := '{}';
  v_removed text[] := '{}';
  v_placed jsonb[] := '{}';
  v_place jsonb;
  v_seq bigint;                     -- the last event before this change
  v_move bigint;                    -- the number of the move that this change makes
  v_undone bigint;                  -- of the event that says which it took back, or made again
BEGIN
  SELECT * INTO r FROM json_to_record(p) AS x("chatId" text, "ownerId" text, actor text, at double precision,
    "create" json, contexts json, steps json, "expectedSeq" bigint);
  v_actor := coalesce(r.actor, r."ownerId");
  v_at := to_timestamp(r.at / 1000);

  IF r."create" IS NOT NULL THEN
    v_created := create_chat(r."chatId", r."create", coalesce(to_timestamp((r."create" ->> 'at')::float8 / 1000), v_at));
  END IF;
  -- the chat of another owner does not match, so its lock is not waited for
  SELECT * INTO c FROM chats WHERE id = r."chatId" AND user_id = coalesce(r."ownerId", user_id) FOR NO KEY UPDATE;
  IF NOT FOUND THEN
    PERFORM refuse_missing('Chat', r."chatId");
  ELSIF r."expectedSeq" <> c.last_seq THEN
    RAISE EXCEPTION 'The chat has moved on' USING ERRCODE = 'RM409', DETAIL = 'head_moved';
  END IF;
  v_seq := c.last_seq;
  IF r.contexts IS NOT NULL THEN
    WITH stored AS (
      INSERT INTO contexts (chat_id, id, fragments, model, setup, created_at)
      SELECT c.id, x.id, x.fragments, x.model, x.setup, v_at
      FROM json_to_recordset(r.contexts) AS x(id text, fragments json, model text, setup json)
      ON CONFLICT (chat_id, id) DO NOTHING RETURNING fragments, setup)
    SELECT coalesce(sum(context_bytes(fragments, setup)), 0) INTO v_contexts FROM stored;
  END IF;
  IF v_created THEN
    PERFORM log_chat(c, r."create", v_actor, c.created_at);
    v_branches := ARRAY[c.active_branch_id];
  END IF;

  FOR s IN SELECT * FROM json_to_recordset(r.steps) AS x(kind text, "branchId" text, "expectedHead" text,
    "orBranchId" text, "contextId" text, "expectedContextId" text, messages json, files json, name text, after text, at text,
    fork json, activate boolean, "noContext" boolean,
    "checkpointId" text, "messageId" text, title text, instead text, metadata jsonb, "runId" text, "replyTo" text, "replyId" text,
    model text, "leaseMs" double precision, answers jsonb, continues text, fence int, status text, error jsonb,
    "whenIdle" boolean, "headId" text, fact jsonb, move text, joins bigint, "moveSeq" bigint, next bigint, replay json,
    bisect json, nodes json, agent json, "targetId" text, "onBranchId" text, since bigint, dated double precision)
  LOOP
    v_dated := coalesce(to_timestamp(s.dated / 1000), v_at);
    CASE s.kind
    WHEN 'append' THEN
      IF s."whenIdle" THEN
        PERFORM refuse_live_run(c.id, s."branchId");
      END IF;
      v_place := append_messages(c.id, s."branchId", s."expectedHead", s."orBranchId", s."contextId", s.messages,
        v_texts, v_actor, v_dated);
      v_placed := v_placed || v_place;
      IF s.files IS NOT NULL THEN
        PERFORM link_files(c.id, c.user_id, s.files);
      END IF;
      v_branches := v_branches || (v_place ->> 'branchId');
    WHEN 'queue-run' THEN
      PERFORM queue_run(c.id, s."branchId", s."runId", s."replyTo", s."replyId", s.model, s."contextId", s.answers,
        s.continues, s."leaseMs", v_dated);
      v_branches := v_branches || s."branchId";
    WHEN 'finish-run' THEN
      v_branches := v_branches || finish_run(c.id, s."runId", s.fence, s.status, s.error, v_place ->> 'branchId', v_actor,
        v_dated);
    WHEN 'keep-bisect' THEN
      PERFORM keep_bisect(c.id, s.bisect, v_dated);
    WHEN 'keep-nodes' THEN
      PERFORM keep_agent_nodes(c.id, c.user_id, s.nodes, s.agent, v_dated);
    WHEN 'steer-agent' THEN
      PERFORM steer_agent(c.id, s."branchId", s."targetId", v_actor, v_dated);
    WHEN 'follow-steering' THEN
      PERFORM follow_steering(c.id, s."branchId", s."targetId", s."onBranchId", v_actor, v_dated);
    WHEN 'begin-replay', 'move-replay' THEN
      PERFORM keep_replay(c.id, s."branchId", s.replay, v_dated);
      v_branches := v_branches || s."branchId";
    WHEN 'open-branch' THEN
      PERFORM open_branch(c.id, s."branchId", s.name, s.after, s.at, s.fork, s."contextId", s."noContext", v_actor,
        v_dated);
      v_branches := v_branches || s."branchId";
      IF s.activate THEN
        v_branches := v_branches || switch_branch(c.id, s."branchId", v_actor, v_dated);
      END IF;
    WHEN 'switch-branch' THEN
      v_branches := v_branches || s."branchId" || switch_branch(c.id, s."branchId", v_actor, v_dated);
    WHEN 'rename-branch' THEN
      PERFORM rename_branch(c.id, s."branchId", s.name, v_actor, v_dated);
      v_branches := v_branches || s."branchId";
    WHEN 'title-branch' THEN
      PERFORM title_branch(c.id, s."branchId", s.title, v_actor, v_dated);
      v_branches := v_branches || s."branchId";
    WHEN 'set-context' THEN
      PERFORM set_context(c.id, s."branchId", s."expectedContextId", s."contextId", v_actor, v_dated);
      v_branches := v_branches || s."branchId";
    WHEN 'archive-branch', 'unarchive-branch' THEN
      v_branches := v_branches || archive_branch(c.id, s."branchId", s.kind = 'archive-branch', v_actor, v_dated);
    WHEN 'save-checkpoint' THEN
      PERFORM save_checkpoint(c.id, s."checkpointId", s.name, s."messageId", v_actor, v_dated);
      v_checkpoints := v_checkpoints || s.name;
    WHEN 'remove-checkpoint' THEN
      PERFORM remove_checkpoint(c.id, s.name, v_actor, v_dated);
      v_removed := v_removed || s.name;
    WHEN 'move-head' THEN
      PERFORM move_head(c.id, s."branchId", s."expectedHead", s."headId", v_actor, v_dated);
      v_branches := v_branches || s."branchId";
    WHEN 'record' THEN
      PERFORM log_event(c.id, (find_branch(c.id, s."branchId")).id, s.fact ->> 'type', s.fact -> 'payload', v_actor, v_dated);
      v_branches := v_branches || s."branchId";
    WHEN 'mark-move' THEN
      v_move := mark_move(c.id, s.move, s.joins, coalesce(s.since, v_seq), v_actor, v_dated);
    WHEN 'mark-undone', 'mark-redone' THEN
      v_undone := mark_undone(c.id, s.kind = 'mark-undone', s."moveSeq", s.next, v_actor, v_dated);
    WHEN 'update-chat' THEN
      PERFORM update_chat(c.id, s.title, s.instead, s.metadata, v_actor, v_dated);
    ELSE
      RAISE EXCEPTION 'unknown step %', s.kind USING ERRCODE = 'RM001';
    END CASE;
  END LOOP;

  UPDATE chats SET updated_at = greatest(updated_at, v_at),
    last_seq = coalesce((SELECT e.seq FROM events e WHERE e.chat_id = c.id ORDER BY e.seq DESC LIMIT 1), 0)
  WHERE id = c.id RETURNING * INTO c;
  -- in chats whose log has just got twice as long, which is rarely
  IF c.last_seq >= 8 AND floor(log(c.last_seq::float8) / log(2)) > floor(log(greatest(v_seq, 1)::float8) / log(2)) THEN
    PERFORM analyze_new_tables();
  END IF;
  IF q IS NOT NULL THEN
    PERFORM take_quota(c.id, v_created, q, v_contexts, v_seq);
  END IF;
  RETURN json_build_object(
    'seq', c.last_seq, 'moveSeq', v_move, 'created', v_created, 'activeBranchId', c.active_branch_id, 'title', c.title,
    'placed', to_jsonb(v_placed), 'removedCheckpoints', v_removed,
    -- look-ups, each by its key: the plan of a join, or of `= ANY`, once kept, reads all messages or branches of the chat.
    -- Branches come in the order in which they were named: replies stand side by side in it.
    'branches', (SELECT coalesce(json_agg((SELECT branch_json(k, (SELECT h.id FROM messages h
        WHERE h.chat_id = k.chat_id AND h.lane = k.head_lane AND h.depth = k.head_depth))
      FROM branches k WHERE k.chat_id = c.id AND k.id = n.id)), '[]')
      FROM (SELECT b.id FROM unnest(v_branches) WITH ORDINALITY b(id, place) WHERE b.id IS NOT NULL
        GROUP BY b.id ORDER BY min(b.place)) n),
    'checkpoints', CASE WHEN v_checkpoints = '{}' THEN '[]' ELSE (
      SELECT coalesce(json_agg(checkpoint_json(k, (SELECT m.id FROM messages m
        WHERE m.chat_id = k.chat_id AND m.lane = k.lane AND m.depth = k.depth))), '[]')
      FROM checkpoints k WHERE k.chat_id = c.id AND k.name = ANY (v_checkpoints)) END);
END $$;
