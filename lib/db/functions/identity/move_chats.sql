-- Moves all chats of one user to another, with the names that agents have for their messages, and the files: under their ids, by which the messages name them. Where both have a chat with one id, the new owner's keeps it and the moved one
-- goes by its key; unless the id is the moved chat's key, which cannot change: then the new owner's goes by its own key.
CREATE FUNCTION move_chats(v_from text, v_to text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  LOOP
    BEGIN
      UPDATE chats k SET alias = NULL
      FROM chats o
      WHERE k.alias IS NOT NULL AND k.user_id IN (v_from, v_to)
        AND o.user_id = CASE k.user_id WHEN v_from THEN v_to ELSE v_from END AND coalesce(o.alias, o.id) = k.alias
        AND (k.user_id = v_from OR o.alias IS NULL);
      UPDATE chats SET user_id = v_to WHERE user_id = v_from;
      -- of what both have said to a model, the new owner's is found; another call of the same meanwhile ends as below
      DELETE FROM agent_nodes a WHERE a.owner_id = v_from
        AND EXISTS (SELECT 1 FROM agent_nodes o WHERE o.owner_id = v_to AND o.hash = a.hash);
      UPDATE agent_nodes SET owner_id = v_to WHERE owner_id = v_from;
      UPDATE files SET owner_id = v_to WHERE owner_id = v_from;
      RETURN;
    EXCEPTION WHEN unique_violation THEN
      -- the new owner created a chat with such an id meanwhile: the next pass sees it
      NULL;
    END;
  END LOOP;
END $$;
