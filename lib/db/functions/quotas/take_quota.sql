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
  k record;
  v_person text := (SELECT c.user_id FROM chats c WHERE c.id = v_chat);
  v_bytes bigint;
  v_chats int := v_created::int;
  v_day date := (clock_timestamp() AT TIME ZONE 'UTC')::date;
  v_hash int := hashtext(v_person);
  v_over text;
  v_used bigint;
BEGIN
  SELECT * INTO u FROM json_to_record(q) AS x(address text, ending boolean, messages int, calls int, tokens bigint,
     bytes bigint, events int, opened int, limits jsonb);
  v_bytes := u.bytes + v_more + 300 * coalesce(u.events, 0);
  <<counting>>
  BEGIN
    IF (u.opened > 0 OR u.calls > 0) AND NOT u.ending THEN
      v_used := (SELECT count(*) FROM branches WHERE chat_id = v_chat);
      IF v_used > (u.limits ->> 'branches')::bigint THEN
        v_over := 'branches';
        v_used := v_used - coalesce(u.opened, 0);
        EXIT counting;
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
    IF s.bytes IS NULL THEN
      SELECT bytes, chats INTO s.bytes, s.chats FROM count_stored(v_person);
    END IF;
    IF NOT u.ending THEN
      -- a call is refused once the day's tokens are used up: its own tokens are only known afterwards
      SELECT x.name, x.total - x.own INTO v_over, v_used FROM (VALUES ('chats', v_chats, s.chats), ('bytes', v_bytes, s.bytes),
        ('messages', u.messages, s.messages), ('calls', u.calls, s.calls), ('tokens', least(u.calls, 1), s.tokens + 1)) x(name, own, total)
      WHERE x.own > 0 AND x.total > (u.limits ->> x.name)::bigint LIMIT 1;
      EXIT counting WHEN FOUND;
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
    FOR k IN SELECT * FROM (VALUES ('address', u.address, 727276, hashtext(u.address)),
      ('site', CASE WHEN u.calls > 0 THEN '' END, 727277, 0)) x(scope, key, lock, place) WHERE x.key IS NOT NULL
    LOOP
      FOR v_attempt IN 1..2 LOOP
        SELECT sum(messages) AS messages, sum(calls) AS calls, sum(tokens) AS tokens, sum(bytes) AS bytes, sum(chats) AS chats
        INTO s FROM quota_use WHERE scope = k.scope AND key = k.key AND day = v_day;
        EXIT WHEN v_attempt = 2 OR (s.messages + 64 > (u.limits ->> (k.scope || '_messages'))::bigint
          OR s.calls + 64 > (u.limits ->> (k.scope || '_calls'))::bigint
          OR s.bytes + 64000000 > (u.limits ->> (k.scope || '_bytes'))::bigint
          OR s.chats + 64 > (u.limits ->> (k.scope || '_chats'))::bigint) IS NOT TRUE;
        PERFORM pg_advisory_xact_lock(k.lock, k.place);
      END LOOP;
      SELECT x.name, x.total - x.own INTO v_over, v_used FROM (VALUES (k.scope || '_messages', u.messages, s.messages),
        (k.scope || '_calls', u.calls, s.calls), (k.scope || '_tokens', least(u.calls, 1), s.tokens + 1),
        (k.scope || '_bytes', v_bytes, s.bytes), (k.scope || '_chats', v_chats, s.chats)) x(name, own, total)
      WHERE x.own > 0 AND x.total > (u.limits ->> x.name)::bigint LIMIT 1;
      EXIT counting WHEN FOUND;
    END LOOP;
    RETURN;
  END counting;
  RAISE EXCEPTION 'The limit "%" is reached', v_over USING ERRCODE = 'RM429', DETAIL = json_build_object('limit', v_over,
    'allowed', (u.limits ->> v_over)::bigint, 'used', v_used, 'person', v_person, 'retryAfter',
    CASE WHEN v_over NOT IN ('branches', 'chats', 'bytes')
      THEN ceil(extract(epoch FROM (v_day + 1)::timestamp AT TIME ZONE 'UTC' - clock_timestamp())) END)::text;
END $$;
