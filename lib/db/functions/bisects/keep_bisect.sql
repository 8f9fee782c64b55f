-- Begins a bisect, or moves one from the state of `version` to the next (KeepBisect of lib/events/step.ts). One that has moved
-- meanwhile is refused: RM409 bisect_moved.
CREATE FUNCTION keep_bisect(v_chat text, v_bisect json, v_at timestamptz) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  r record;
BEGIN
  SELECT * INTO r FROM json_to_record(v_bisect) AS x(id text, version int, "replyId" text, "questionId" text, turns json,
    judge jsonb, low int, high int, probe int, "isWithout" boolean, "branchId" text, "askedId" text, runs int, status text,
    reason text, "foundId" text, confirmed boolean);
  IF r.version IS NULL THEN
    INSERT INTO bisects (chat_id, id, reply_id, question_id, turns, judge, low, high, probe, is_without, branch_id, asked_id, runs,
      status, reason, found_id, confirmed, created_at, ended_at)
    VALUES (v_chat, r.id, r."replyId", r."questionId", r.turns, r.judge, r.low, r.high, r.probe, r."isWithout", r."branchId",
      r."askedId", r.runs, r.status, r.reason, r."foundId", r.confirmed, v_at,
      CASE WHEN r.status IN ('done', 'stopped') THEN v_at END);
    RETURN;
  END IF;
  UPDATE bisects SET low = r.low, high = r.high, probe = r.probe, is_without = r."isWithout", branch_id = r."branchId",
    asked_id = r."askedId", runs = r.runs, status = r.status, reason = r.reason, found_id = r."foundId",
    confirmed = r.confirmed, version = version + 1, ended_at = CASE WHEN r.status IN ('done', 'stopped') THEN v_at END
  WHERE chat_id = v_chat AND id = r.id AND version = r.version;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'Bisect "%" has moved on', r.id USING ERRCODE = 'RM409', DETAIL = 'bisect_moved';
  END IF;
END $$;
