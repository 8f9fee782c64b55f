-- A message keeps its limits and stands right below its parent: the message above it in its lane, or the one its lane hangs
-- from. Together with the keys this makes holes, cycles and parents in other chats impossible. Row by row: a turn has
-- one or two messages, for which a statement trigger would build a table of new rows. After the statement: its rows may come
-- in any order.
CREATE FUNCTION check_message() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
  v_above text;
  v_limit text;
  l record;
  v_placed boolean := true;
BEGIN
  v_limit := CASE WHEN length(NEW.id) NOT BETWEEN 1 AND 128 THEN 'id_length'
    WHEN length(NEW.name) NOT BETWEEN 1 AND 128 THEN 'name_length'
    WHEN length(NEW.preview) > 160 THEN 'preview_length' WHEN NEW.status NOT IN ('stopped', 'failed') THEN 'status' END;
  IF v_limit IS NOT NULL THEN
    RAISE EXCEPTION 'A limit of messages is passed: %', v_limit
      USING ERRCODE = 'check_violation', CONSTRAINT = 'messages_' || v_limit;
  END IF;
  SELECT id INTO v_above FROM messages
  WHERE chat_id = NEW.chat_id AND lane = NEW.lane AND depth = NEW.depth - 1;
  IF NOT FOUND THEN
    -- two look-ups, not a join: a join's plan, once kept, reads every message of the chat
    SELECT parent_lane, parent_depth INTO l FROM lanes
    WHERE chat_id = NEW.chat_id AND lane = NEW.lane AND base_depth = NEW.depth;
    v_placed := FOUND;
    v_above := (SELECT id FROM messages WHERE chat_id = NEW.chat_id AND lane = l.parent_lane AND depth = l.parent_depth);
  END IF;
  -- without a row: a hole above it
  IF NOT v_placed OR v_above IS DISTINCT FROM NEW.parent_id THEN
    RAISE EXCEPTION 'message % contradicts its place: its parent is not right above it', NEW.id USING ERRCODE = 'RM001';
  END IF;
  RETURN NULL;
END $$;

CREATE TRIGGER messages_check AFTER INSERT ON messages FOR EACH ROW EXECUTE FUNCTION check_message();
