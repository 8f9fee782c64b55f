-- Archives a branch, or brings it back, and answers it. The branch that the chat opens on is refused (RM409 branch_active).
CREATE FUNCTION archive_branch(v_chat text, v_branch text, v_archive boolean, v_actor text, v_at timestamptz)
RETURNS text LANGUAGE plpgsql AS $$
DECLARE
  b branches%rowtype := find_branch(v_chat, v_branch);
  v_seq bigint;
BEGIN
  IF v_archive = (b.archived_at IS NOT NULL) THEN
    RETURN b.id;
  END IF;
  IF v_archive AND EXISTS (SELECT 1 FROM chats WHERE id = v_chat AND active_branch_id = b.id) THEN
    RAISE EXCEPTION 'Branch "%" is the one the chat opens on: switch first', b.name
      USING ERRCODE = 'RM409', DETAIL = 'branch_active';
  END IF;
  UPDATE branches SET archived_at = CASE WHEN v_archive THEN v_at END WHERE chat_id = v_chat AND id = b.id;
  v_seq := log_event(v_chat, v_chat, CASE WHEN v_archive THEN 'BranchArchived' ELSE 'BranchRestored' END,
    jsonb_build_object('branch_id', b.id), v_actor, v_at);
  RETURN b.id;
END $$;
