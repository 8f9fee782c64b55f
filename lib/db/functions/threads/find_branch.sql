-- A branch of a chat; refuses an id that none has.
CREATE FUNCTION find_branch(v_chat text, v_branch text) RETURNS branches LANGUAGE plpgsql STABLE AS $$
DECLARE
  b branches%rowtype;
BEGIN
  SELECT * INTO b FROM branches WHERE chat_id = v_chat AND id = v_branch;
  IF NOT FOUND THEN
    PERFORM refuse_missing('Branch', v_branch);
  END IF;
  RETURN b;
END $$;
