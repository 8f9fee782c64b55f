-- Puts a context (null for none) in force on a branch whose context is `v_expected` (null for none). One that is in force already is no change.
CREATE FUNCTION set_context(
  v_chat text, v_branch text, v_expected text, v_context text, v_actor text, v_at timestamptz
) RETURNS void LANGUAGE plpgsql AS $$
DECLARE
  b branches%rowtype := find_branch(v_chat, v_branch);
BEGIN
  IF b.context_id IS NOT DISTINCT FROM v_context THEN
    RETURN;
  END IF;
  IF b.context_id IS DISTINCT FROM v_expected THEN
    RAISE EXCEPTION 'The context of branch "%" was changed meanwhile', b.name USING ERRCODE = 'RM409', DETAIL = 'context_moved';
  END IF;
  UPDATE branches SET context_id = v_context WHERE chat_id = v_chat AND id = b.id;
  PERFORM log_event(v_chat, b.id, 'ContextChanged', jsonb_build_object('context_id', v_context,
    'from_context_id', b.context_id), v_actor, v_at);
END $$;
