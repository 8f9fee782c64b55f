-- Gives a branch another name; refuses one that is taken (RM409 name_taken).
CREATE FUNCTION rename_branch(v_chat text, v_branch text, v_name text, v_actor text, v_at timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  b branches%rowtype := find_branch(v_chat, v_branch);
BEGIN
  IF b.name = v_name THEN
    RETURN;
  END IF;
  IF EXISTS (SELECT 1 FROM branches WHERE chat_id = v_chat AND name = v_name) THEN
    RAISE EXCEPTION 'A branch named "%" exists already', v_name USING ERRCODE = 'RM409', DETAIL = 'name_taken';
  END IF;
  UPDATE branches SET name = v_name WHERE chat_id = v_chat AND id = b.id;
  PERFORM log_event(v_chat, v_chat, 'BranchRenamed',
    jsonb_build_object('branch_id', b.id, 'name', v_name, 'previous_name', b.name), v_actor, v_at);
END $$;
