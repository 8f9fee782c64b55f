-- Locks what a person has, and the person, until the transaction ends: then no chat is written to, no import goes on, and nothing
-- new is made, since each refers to the person's row. Imports, chats by their ids, the person: whatever locks more than one
-- of these does it in this order. A statement after this one sees what those before it have written. False without such a person.
CREATE FUNCTION lock_person(v_person text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  PERFORM 1 FROM imports WHERE user_id = v_person ORDER BY id FOR UPDATE;
  PERFORM 1 FROM chats WHERE user_id = v_person ORDER BY id FOR NO KEY UPDATE;
  PERFORM 1 FROM "user" WHERE id = v_person AND gone_at IS NULL FOR UPDATE;
  RETURN FOUND;
END $$;
