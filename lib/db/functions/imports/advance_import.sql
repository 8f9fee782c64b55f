-- Writes chats of an import and notes how far it has come, in one transaction: after a crash it goes on where it was, and
-- counts nothing twice. `v_changes` are rows (append_changes) with character 29 between them, which JSON never holds
-- unescaped; so are `v_quotas` and `v_bodies`. Answers false, and writes nothing, when the import was cancelled, taken over
-- (`v_fence`) or has another owner by now.
CREATE FUNCTION advance_import(
  v_import text, v_owner text, v_fence int, v_lease double precision, v_progress json, v_changes text, v_quotas text,
  v_bodies text
) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  u record;
  v_change text[] := string_to_array(v_changes, chr(29));
  v_quota text[] := string_to_array(v_quotas, chr(29));
  v_body text[] := string_to_array(v_bodies, chr(29));
BEGIN
  SELECT * INTO u FROM json_to_record(v_progress) AS x(place int, "chatsImported" bigint, "chatsUnchanged" bigint, "chatsLeft" bigint,
    "messagesFound" bigint, "messagesImported" bigint, "messagesSkipped" bigint, "problemCount" int, problems jsonb,
    chats jsonb);
  UPDATE imports SET place = u.place, chats_imported = chats_imported + u."chatsImported",
    chats_unchanged = chats_unchanged + u."chatsUnchanged", chats_left = chats_left + u."chatsLeft", messages_found = messages_found + u."messagesFound",
    messages_imported = messages_imported + u."messagesImported",
    messages_skipped = messages_skipped + u."messagesSkipped", problem_count = problem_count + u."problemCount",
    problems = CASE WHEN u.problems IS NULL OR json_array_length(problems) >= 500 THEN problems
      ELSE (problems::jsonb || u.problems)::json END,
    chats = CASE WHEN u.chats IS NULL OR json_array_length(chats) >= 20 THEN chats
      ELSE (chats::jsonb || u.chats)::json END,
    attempts = 0, lease_until = clock_timestamp() + v_lease * interval '1 millisecond'
  WHERE id = v_import AND user_id = v_owner AND status = 'running' AND fence = v_fence;
  IF NOT FOUND THEN
    RETURN false;
  END IF;
  -- those that are here already, before the first is written: a write of the person holds its chat and waits for the person's
  -- quota, which the first change takes
  PERFORM 1 FROM chats WHERE id IN (SELECT x::json ->> 'chatId' FROM unnest(v_change) x) ORDER BY id FOR NO KEY UPDATE;
  FOR i IN 1..coalesce(cardinality(v_change), 0) LOOP
    PERFORM append_changes(v_change[i]::json, v_body[i], NULLIF(v_quota[i], '')::json);
  END LOOP;
  RETURN true;
END $$;
