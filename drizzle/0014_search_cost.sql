-- Indexes some of what the logs of these chats have recorded since the last time, and stops after so many messages or
-- letters: indexing costs some 0.4 ms per thousand letters, and a chat may lag by any number of them. Several may ask at
-- once; each message is indexed once. Chats are locked against deletion, and in the order of their ids, so that neither
-- that nor another search can be waited for in a circle. Holds no lock that a turn needs.
CREATE FUNCTION index_search_some(v_chats json, v_messages int, v_letters int) RETURNS json LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
DECLARE
  v_chat text;
  v_from bigint;
  v_at bigint;
  v_to bigint;
  v_text text;
  v_count int := 0;
  v_sum int := 0;
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
      JOIN messages m ON m.chat_id = v_chat AND m.id = e.message_id ORDER BY e.seq
    LOOP
      IF v_count >= v_messages OR v_sum >= v_letters THEN
        UPDATE search_progress SET seq = v_at WHERE chat_id = v_chat;
        RETURN json_build_object('messages', v_count, 'letters', v_sum, 'more', true);
      END IF;
      v_text := left(coalesce(message_text(r.data), ''), 100000);
      INSERT INTO message_search (chat_id, lane, depth, words)
      VALUES (v_chat, r.lane, r.depth, to_tsvector('simple', v_text));
      v_count := v_count + 1;
      v_sum := v_sum + length(v_text);
      v_at := r.seq;
    END LOOP;
    UPDATE search_progress SET seq = greatest(seq, v_to) WHERE chat_id = v_chat;
  END LOOP;
  RETURN json_build_object('messages', v_count, 'letters', v_sum, 'more', false);
END $$;
--> statement-breakpoint
-- The branch to read a message on: of those that hold it the latest used. They are found downwards, from its lane to the
-- lanes that hang below it, the nearest first, among 200 at most. The orders and limits keep the planner on the indexes,
-- and a function keeps what it estimates out of the statement that calls it, which would be compiled for seconds.
CREATE FUNCTION branch_holding(v_chat text, v_lane int, v_depth int) RETURNS json LANGUAGE plpgsql STABLE
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off AS $$
BEGIN
  RETURN (WITH RECURSIVE below AS (
      SELECT v_lane AS lane, v_depth AS depth
      UNION ALL
      SELECT g.* FROM below q CROSS JOIN LATERAL (
        SELECT g.lane, g.base_depth FROM lanes g
        WHERE g.chat_id = v_chat AND g.parent_lane = q.lane AND g.parent_depth >= q.depth
        ORDER BY g.chat_id, g.parent_lane, g.parent_depth LIMIT 200) g
    )
    SELECT json_build_object('id', b.id, 'name', b.name)
    FROM (SELECT lane, depth FROM below LIMIT 200) q
    CROSS JOIN LATERAL (SELECT b.* FROM branches b
      WHERE b.chat_id = v_chat AND b.head_lane = q.lane AND b.head_depth >= q.depth
      ORDER BY b.chat_id, b.head_lane, b.head_depth LIMIT 200) b
    CROSS JOIN LATERAL (SELECT h.created_at FROM messages h
      WHERE h.chat_id = v_chat AND h.lane = b.head_lane AND h.depth = b.head_depth LIMIT 1) h
    ORDER BY b.archived_at IS NOT NULL, h.created_at DESC, b.created_at DESC, b.id LIMIT 1);
END $$;
