-- What the keys alone cannot promise: nothing that was said is ever changed, removed or misplaced.

ALTER TABLE chats SET (fillfactor = 70);
--> statement-breakpoint
ALTER TABLE branches SET (fillfactor = 70);
--> statement-breakpoint
ALTER TABLE runs SET (fillfactor = 70);
--> statement-breakpoint
-- a body stays with its row (a chain is read in one go), and what search needs moves out of its way; a tsvector does
-- not compress, so trying would only cost time
ALTER TABLE messages ALTER COLUMN data SET STORAGE MAIN, ALTER COLUMN search SET STORAGE EXTERNAL;
--> statement-breakpoint
-- keeps the visibility map fresh, so that the graph's skeleton is read from the index alone
ALTER TABLE messages SET (autovacuum_vacuum_insert_scale_factor = 0.02);
--> statement-breakpoint
CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION '% on % is refused: its rows are immutable', tg_op, tg_table_name USING ERRCODE = 'RM001';
END $$;
--> statement-breakpoint
CREATE FUNCTION refuse_partial_delete() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF EXISTS (SELECT 1 FROM gone g JOIN chats c ON c.id = g.chat_id) THEN
    RAISE EXCEPTION 'DELETE on % is refused: rows leave only with their whole chat', tg_table_name
      USING ERRCODE = 'RM001';
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
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
--> statement-breakpoint
CREATE TRIGGER messages_check_place AFTER INSERT ON messages
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION check_place();
--> statement-breakpoint
CREATE TRIGGER messages_no_change BEFORE UPDATE OR TRUNCATE ON messages
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER lanes_no_change BEFORE UPDATE OR TRUNCATE ON lanes
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER contexts_no_change BEFORE UPDATE OR TRUNCATE ON contexts
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER events_no_change BEFORE UPDATE OR TRUNCATE ON events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_change();
--> statement-breakpoint
CREATE TRIGGER messages_no_partial_delete AFTER DELETE ON messages
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION refuse_partial_delete();
--> statement-breakpoint
CREATE TRIGGER lanes_no_partial_delete AFTER DELETE ON lanes
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION refuse_partial_delete();
--> statement-breakpoint
CREATE TRIGGER contexts_no_partial_delete AFTER DELETE ON contexts
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION refuse_partial_delete();
--> statement-breakpoint
CREATE TRIGGER events_no_partial_delete AFTER DELETE ON events
  REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION refuse_partial_delete();
--> statement-breakpoint
-- The text of a stored message: the text parts of a UI message, or a plain string.
-- In plpgsql because it keeps its plan; the same in SQL is planned for every insert.
CREATE FUNCTION message_text(data json) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$
BEGIN
  RETURN CASE
    WHEN json_typeof(data) = 'string' THEN data #>> '{}'
    WHEN json_typeof(data -> 'parts') = 'array' THEN
      (SELECT string_agg(p ->> 'text', E'\n') FROM json_array_elements(data -> 'parts') p WHERE p ->> 'type' = 'text')
    ELSE data ->> 'content'
  END;
END $$;
