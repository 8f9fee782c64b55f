-- Deletes a person and everything that is theirs but the chats and files, which go to a row of their own (`v_gone`) that has
-- no way in: they are deleted in small batches after that. False without such a person.
CREATE FUNCTION forget_person(v_person text, v_gone text) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF NOT lock_person(v_person) THEN
    RETURN false;
  END IF;
  UPDATE runs r SET stop_at = clock_timestamp() FROM chats c
  WHERE c.user_id = v_person AND r.chat_id = c.id AND r.status IN ('queued', 'running') AND r.stop_at IS NULL;
  -- sums that are unknown are not kept while the chats move: each chat would be measured
  UPDATE quota_person SET bytes = NULL, chats = NULL WHERE user_id = v_person;
  INSERT INTO "user" (id, name, email, is_anonymous, gone_at)
  VALUES (v_gone, 'Deleted', v_gone || '@deleted.invalid', true, clock_timestamp());
  PERFORM move_chats(v_person, v_gone);
  DELETE FROM "user" WHERE id = v_person;
  RETURN true;
END $$;
