-- Makes what the logs of these chats have recorded since the last time searchable, until so many messages or letters were
-- read (null = all): indexing takes a large part of a millisecond per thousand letters, and a chat may lag by any number of them. Calls may
-- run at the same time; each message is indexed once. Chats are locked against deletion, and in the order of their ids, so
-- neither a deletion nor another search waits in a circle. Holds no lock that a turn needs.
CREATE FUNCTION index_search(v_chats json, v_messages int DEFAULT NULL, v_letters int DEFAULT NULL)
RETURNS json LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off AS $$
DECLARE
  v_chat text;
  v_from bigint;
  v_at bigint;
  v_to bigint;
  v_text text;
  v_count int := 0;
  v_sum bigint := 0;
  r record;
BEGIN
  FOR v_chat IN SELECT c.id FROM chats c WHERE c.id IN (SELECT json_array_elements_text(v_chats)) ORDER BY c.id
    FOR KEY SHARE SKIP LOCKED
  LOOP
    SELECT seq INTO v_to FROM events WHERE chat_id = v_chat AND message_id IS NOT NULL ORDER BY events.seq DESC LIMIT 1;
    SELECT seq INTO v_from FROM search_progress WHERE chat_id = v_chat;
    CONTINUE WHEN v_to IS NULL OR v_from >= v_to;
    INSERT INTO search_progress (chat_id) VALUES (v_chat) ON CONFLICT DO NOTHING;
    SELECT seq INTO v_from FROM search_progress WHERE chat_id = v_chat FOR UPDATE;
    v_at := v_from;
    FOR r IN
      SELECT e.seq, m.lane, m.depth, m.data FROM (
        SELECT seq, message_id FROM events
        WHERE chat_id = v_chat AND message_id IS NOT NULL AND events.seq > v_from AND events.seq <= v_to
        ORDER BY events.seq LIMIT v_messages - v_count + 1) e
      -- a look-up each: a plan that was made for short chats would read the chat again for every message
      CROSS JOIN LATERAL (SELECT * FROM messages x WHERE x.chat_id = v_chat AND x.id >= e.message_id ORDER BY x.id LIMIT 1) m
      WHERE m.id = e.message_id ORDER BY e.seq
    LOOP
      IF v_count >= v_messages OR v_sum >= v_letters THEN
        UPDATE search_progress SET seq = v_at WHERE chat_id = v_chat;
        RETURN json_build_object('messages', v_count, 'letters', v_sum, 'more', true);
      END IF;
      v_text := left(coalesce(search_text(r.data), ''), 100000);
      INSERT INTO message_search (chat_id, lane, depth, words)
      VALUES (v_chat, r.lane, r.depth, search_words(v_text));
      v_count := v_count + 1;
      v_sum := v_sum + length(v_text);
      v_at := r.seq;
    END LOOP;
    UPDATE search_progress SET seq = greatest(seq, v_to) WHERE chat_id = v_chat;
  END LOOP;
  RETURN json_build_object('messages', v_count, 'letters', v_sum, 'more', false);
END $$;
