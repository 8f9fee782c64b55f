-- Counts the use of a change, which is written, and refuses the change when a limit is passed (RM429: then nothing of it stays).
-- `q`: address, the numbers of messages, calls and tokens, of events and of branches opened, the bytes of bodies, the limits by
-- name, and `ending` for the end of a reply, which is counted and never refused. `v_more`: bytes stored besides bodies. Branches are counted
-- as they are stored: a reply that ends late opens one too, so in a chat beyond its limit no other is asked for. Locks are taken
-- in one order: chat (by then held), person, address, site. Shared sums are read without a lock while they are far from their
-- limit; near it, transactions take turns and the sum is exact. A limit that is not set is null, and nothing is greater than null.
CREATE FUNCTION take_quota(v_chat text, v_created boolean, q json, v_more bigint DEFAULT 0) RETURNS void LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off AS $$
#variable_conflict use_column
DECLARE
  u record;
  s record;
  v_person text;
  v_bytes bigint;
  v_opened int;
  v_branches bigint;
  v_stored bigint;
  v_owned int;
  v_chats int := v_created::int;
  v_day date := (clock_timestamp() AT TIME ZONE 'UTC')::date;
  v_until timestamptz := (v_day + 1)::timestamp AT TIME ZONE 'UTC';
  v_hash int;
  v_over text;
BEGIN
  SELECT * INTO u FROM json_to_record(q) AS x(address text, ending boolean, messages int, calls int, tokens bigint,
     bytes bigint, events int, opened int, limits jsonb);
  v_bytes := u.bytes + v_more + 300 * coalesce(u.events, 0);
  v_opened := coalesce(u.opened, 0);
  v_person := (SELECT c.user_id FROM chats c WHERE c.id = v_chat);
  v_hash := hashtext(v_person);

  IF (v_opened > 0 OR u.calls > 0) AND NOT u.ending THEN
    v_branches := (SELECT count(*) FROM branches WHERE chat_id = v_chat);
    IF v_branches > (u.limits ->> 'branches')::bigint THEN
      PERFORM refuse_quota(u.limits, 'branches', v_branches - v_opened, v_person, null);
    END IF;
  END IF;

  INSERT INTO quota_person (user_id, day, messages, calls, tokens)
  VALUES (v_person, v_day, u.messages, u.calls, u.tokens)
  ON CONFLICT (user_id) DO UPDATE SET bytes = quota_person.bytes + v_bytes, chats = quota_person.chats + v_chats,
    day = v_day,
    messages = u.messages + CASE WHEN quota_person.day = v_day THEN quota_person.messages ELSE 0 END,
    calls = u.calls + CASE WHEN quota_person.day = v_day THEN quota_person.calls ELSE 0 END,
    tokens = u.tokens + CASE WHEN quota_person.day = v_day THEN quota_person.tokens ELSE 0 END
  RETURNING bytes, chats, messages, calls, tokens INTO s;
  v_stored := s.bytes; v_owned := s.chats;
  IF v_stored IS NULL THEN
    UPDATE quota_person SET (bytes, chats) = (
      SELECT coalesce(sum(chat_bytes(c.id)), 0) + file_bytes(v_person), count(*) FROM chats c WHERE c.user_id = v_person)
    WHERE user_id = v_person RETURNING bytes, chats INTO v_stored, v_owned;
  END IF;
  IF NOT u.ending THEN
    -- a call is refused once the day's tokens are used up: its own tokens are only known afterwards
    v_over := CASE WHEN v_chats > 0 AND v_owned > (u.limits ->> 'chats')::bigint THEN 'chats'
      WHEN v_bytes > 0 AND v_stored > (u.limits ->> 'bytes')::bigint THEN 'bytes'
      WHEN u.messages > 0 AND s.messages > (u.limits ->> 'messages')::bigint THEN 'messages'
      WHEN u.calls > 0 AND s.calls > (u.limits ->> 'calls')::bigint THEN 'calls'
      WHEN u.calls > 0 AND s.tokens >= (u.limits ->> 'tokens')::bigint THEN 'tokens' END;
    IF v_over IS NOT NULL THEN
      PERFORM refuse_quota(u.limits, v_over, CASE v_over WHEN 'chats' THEN v_owned - v_chats WHEN 'bytes' THEN
        v_stored - v_bytes WHEN 'messages' THEN s.messages - u.messages WHEN 'calls' THEN s.calls - u.calls
        ELSE s.tokens END, v_person, CASE WHEN v_over NOT IN ('chats', 'bytes') THEN v_until END);
    END IF;
  END IF;

  INSERT INTO quota_use (scope, key, day, stripe, messages, calls, tokens, bytes, chats)
  SELECT k.scope, k.key, v_day, k.stripe, u.messages, u.calls, u.tokens, v_bytes, v_chats
  FROM (VALUES ('address', u.address, v_hash & 7), ('site', '', v_hash & 15)) AS k(scope, key, stripe)
  WHERE k.key IS NOT NULL AND (k.scope = 'address' OR u.calls > 0 OR u.tokens > 0)
  ON CONFLICT (scope, key, day, stripe) DO UPDATE SET messages = quota_use.messages + excluded.messages,
    calls = quota_use.calls + excluded.calls, tokens = quota_use.tokens + excluded.tokens,
    bytes = quota_use.bytes + excluded.bytes, chats = quota_use.chats + excluded.chats;
  IF u.ending THEN
    RETURN;
  END IF;

  IF u.address IS NOT NULL THEN
    FOR v_attempt IN 1..2 LOOP
      SELECT sum(messages) AS messages, sum(calls) AS calls, sum(tokens) AS tokens, sum(bytes) AS bytes,
        sum(chats) AS chats INTO s FROM quota_use WHERE scope = 'address' AND key = u.address AND day = v_day;
      EXIT WHEN v_attempt = 2 OR (s.messages + 64 > (u.limits ->> 'address_messages')::bigint
        OR s.calls + 64 > (u.limits ->> 'address_calls')::bigint
        OR s.bytes + 64000000 > (u.limits ->> 'address_bytes')::bigint
        OR s.chats + 64 > (u.limits ->> 'address_chats')::bigint) IS NOT TRUE;
      PERFORM pg_advisory_xact_lock(727276, hashtext(u.address));
    END LOOP;
    v_over := CASE WHEN u.messages > 0 AND s.messages > (u.limits ->> 'address_messages')::bigint THEN 'messages'
      WHEN u.calls > 0 AND s.calls > (u.limits ->> 'address_calls')::bigint THEN 'calls'
      WHEN u.calls > 0 AND s.tokens >= (u.limits ->> 'address_tokens')::bigint THEN 'tokens'
      WHEN v_bytes > 0 AND s.bytes > (u.limits ->> 'address_bytes')::bigint THEN 'bytes'
      WHEN v_chats > 0 AND s.chats > (u.limits ->> 'address_chats')::bigint THEN 'chats' END;
    IF v_over IS NOT NULL THEN
      PERFORM refuse_quota(u.limits, 'address_' || v_over, CASE v_over WHEN 'messages' THEN s.messages - u.messages
        WHEN 'calls' THEN s.calls - u.calls WHEN 'tokens' THEN s.tokens WHEN 'bytes' THEN s.bytes - v_bytes
        ELSE s.chats - v_chats END::bigint, v_person, v_until);
    END IF;
  END IF;

  IF u.calls > 0 THEN
    FOR v_attempt IN 1..2 LOOP
      SELECT sum(calls) AS calls, sum(tokens) AS tokens INTO s FROM quota_use
      WHERE scope = 'site' AND key = '' AND day = v_day;
      EXIT WHEN v_attempt = 2 OR (s.calls + 64 > (u.limits ->> 'site_calls')::bigint) IS NOT TRUE;
      PERFORM pg_advisory_xact_lock(727277, 0);
    END LOOP;
    IF s.calls > (u.limits ->> 'site_calls')::bigint THEN
      PERFORM refuse_quota(u.limits, 'site_calls', (s.calls - u.calls)::bigint, v_person, v_until);
    ELSIF s.tokens >= (u.limits ->> 'site_tokens')::bigint THEN
      PERFORM refuse_quota(u.limits, 'site_tokens', s.tokens::bigint, v_person, v_until);
    END IF;
  END IF;
END $$;
