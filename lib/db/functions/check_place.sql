-- A message stands right below its parent: the message above it in its lane, or the one its lane hangs from.
-- Together with the keys this makes holes, cycles and parents in other chats impossible.
CREATE FUNCTION check_place() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_bad text;
BEGIN
  SELECT a.id INTO v_bad
  FROM added a
  JOIN lanes l ON l.chat_id = a.chat_id AND l.lane = a.lane
  LEFT JOIN messages p ON p.chat_id = a.chat_id
    AND p.lane = CASE WHEN a.depth = l.base_depth THEN l.parent_lane ELSE a.lane END
    AND p.depth = a.depth - 1
  WHERE p.id IS DISTINCT FROM a.parent_id OR a.depth < l.base_depth OR (p.id IS NULL AND a.depth > 0)
  LIMIT 1;
  IF FOUND THEN
    RAISE EXCEPTION 'message % contradicts its place: its parent is not right above it', v_bad
      USING ERRCODE = 'RM001';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER messages_check_place AFTER INSERT ON messages
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION check_place();
