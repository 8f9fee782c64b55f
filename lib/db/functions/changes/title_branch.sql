-- Says what a branch is about in a few words. The first title stays.
CREATE FUNCTION title_branch(v_chat text, v_branch text, v_title text, v_actor text, v_at timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  b branches%rowtype := find_branch(v_chat, v_branch);
BEGIN
  IF b.title IS NOT NULL THEN
    RETURN;
  END IF;
  UPDATE branches SET title = v_title WHERE chat_id = v_chat AND id = b.id;
  PERFORM log_event(v_chat, v_chat, 'BranchTitled', jsonb_build_object('branch_id', b.id, 'title', v_title), v_actor, v_at);
END $$;
