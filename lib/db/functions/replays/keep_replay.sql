-- Begins a replay, or moves one from the state of `version` to the next (BeginReplay and MoveReplay of lib/events/step.ts).
-- `v_branch` is where it goes on. A replay that has moved meanwhile is refused: RM409 replay_moved.
CREATE FUNCTION keep_replay(v_chat text, v_branch text, v_replay json, v_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  r record;
BEGIN
  SELECT * INTO r FROM json_to_record(v_replay) AS x(id text, version int, "sourceBranchId" text, questions json, asked int,
    "lastId" text, content text, model text, "contextId" text, anyway boolean, status text, reason text);
  IF r.version IS NULL THEN
    INSERT INTO replays (chat_id, id, branch_id, first_branch_id, source_branch_id, questions, asked, last_id, content, model,
      context_id, anyway, status, reason, created_at)
    VALUES (v_chat, r.id, v_branch, v_branch, r."sourceBranchId", r.questions, r.asked, r."lastId", r.content, r.model,
      r."contextId", r.anyway, r.status, r.reason, v_at);
    RETURN;
  END IF;
  UPDATE replays SET branch_id = v_branch, asked = r.asked, last_id = r."lastId", anyway = r.anyway, status = r.status,
    reason = r.reason, version = version + 1, ended_at = CASE WHEN r.status IN ('done', 'stopped') THEN v_at END
  WHERE chat_id = v_chat AND id = r.id AND version = r.version;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'Replay "%" has moved on', r.id USING ERRCODE = 'RM409', DETAIL = 'replay_moved';
  END IF;
END $$;
