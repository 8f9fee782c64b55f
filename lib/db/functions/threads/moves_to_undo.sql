-- The moves of a chat that Undo (`v_undo`) takes back one after another, or that Redo makes again: those after the event
-- `v_after`, `v_most` of them. One row without a move where there is none, and no row where there is no such chat of `v_owner`
-- (null for any). Look-ups by keys only: how long the log is, and how many branches the chat has, makes no difference. Joined
-- in one statement they read all branches of a chat, and take twice as long to set up as to run.
CREATE FUNCTION moves_to_undo(v_chat text, v_owner text, v_undo boolean, v_after bigint, v_most int) RETURNS SETOF json
  LANGUAGE plpgsql STABLE SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off AS $$
DECLARE
  c record;
  a record;                         -- the event that Undo finds: the move, or the last time it was undone or made again
  m record;                         -- the move
  v_mark bigint;
  v_count int := 0;
BEGIN
  SELECT last_seq, active_branch_id, CASE WHEN v_undo THEN undo_seq ELSE redo_seq END AS mark INTO c
  FROM chats WHERE id = v_chat AND (v_owner IS NULL OR user_id = v_owner);
  IF NOT FOUND THEN
    RETURN;
  END IF;
  v_mark := c.mark;
  WHILE v_mark IS NOT NULL AND v_count < v_most LOOP
    SELECT seq, type, payload INTO a FROM events WHERE chat_id = v_chat AND seq = v_mark;
    m := a;
    IF a.type <> 'MoveMade' THEN
      SELECT seq, type, payload INTO m FROM events WHERE chat_id = v_chat AND seq = (a.payload ->> 'move_seq')::bigint;
    END IF;
    EXIT WHEN m.seq <= v_after;
    v_mark := (a.payload ->> 'previous')::bigint;
    v_count := v_count + 1;
    RETURN NEXT stored_move(v_chat, c.last_seq, c.active_branch_id, m.seq, m.payload, v_mark);
  END LOOP;
  IF v_count = 0 THEN
    RETURN NEXT json_build_object('seq', c.last_seq, 'activeBranchId', c.active_branch_id, 'moveSeq', null);
  END IF;
END $$;
