-- Deletes the search rows of some chats (a JSON array of ids), for index_search to begin anew. Waits for a concurrent
-- index_search of the same chats first: a statement sees only the rows that were there when it began.
CREATE FUNCTION forget_search(v_chats json) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO search_progress (chat_id)
  SELECT c.id FROM chats c WHERE c.id IN (SELECT json_array_elements_text(v_chats)) ORDER BY c.id FOR KEY SHARE
  ON CONFLICT (chat_id) DO UPDATE SET seq = 0;
  DELETE FROM message_search WHERE chat_id IN (SELECT json_array_elements_text(v_chats));
END $$;
