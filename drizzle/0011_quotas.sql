-- What persons, network addresses and the whole site have used, counted in the transaction that uses it.

-- Of one UTC day. A row is one person's; what many share is spread over rows (`stripe`), so that they do not wait for
-- each other, and is their sum.
CREATE TABLE "quota_use" (
	"scope" text NOT NULL,
	"key" text NOT NULL,
	"day" date NOT NULL,
	"stripe" integer DEFAULT 0 NOT NULL,
	"messages" integer DEFAULT 0 NOT NULL,
	"calls" integer DEFAULT 0 NOT NULL,
	"tokens" bigint DEFAULT 0 NOT NULL,
	"bytes" bigint DEFAULT 0 NOT NULL,
	"chats" integer DEFAULT 0 NOT NULL,
	"guests" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "quota_use_pk" PRIMARY KEY("scope","key","day","stripe"),
	CONSTRAINT "quota_use_scope" CHECK (scope in ('person', 'address', 'site'))
) WITH (fillfactor = 50);
--> statement-breakpoint
CREATE INDEX "quota_use_day" ON "quota_use" USING btree ("day");
--> statement-breakpoint
-- What a person has stored. No row: nothing was counted yet, and the next write that counts works it out.
CREATE TABLE "quota_stored" (
	"user_id" text PRIMARY KEY NOT NULL REFERENCES "public"."user"("id") ON DELETE cascade,
	"bytes" bigint NOT NULL,
	"chats" integer NOT NULL
) WITH (fillfactor = 50);
--> statement-breakpoint
-- How far a sweep through a large table has come.
CREATE TABLE "sweeps" (
	"name" text PRIMARY KEY NOT NULL,
	"place" text DEFAULT '' NOT NULL
);
--> statement-breakpoint
INSERT INTO "sweeps" ("name") VALUES ('guests');
--> statement-breakpoint
CREATE INDEX "session_expires" ON "session" USING btree ("expires_at");
--> statement-breakpoint
CREATE INDEX "user_guests" ON "user" USING btree ("id") WHERE is_anonymous;
--> statement-breakpoint
-- What a chat comes to: the bodies of its messages, and 300 bytes for every event its owner caused (a follower's titles
-- are nobody's).
CREATE FUNCTION chat_bytes(v_chat text) RETURNS bigint LANGUAGE plpgsql AS $$
BEGIN
  RETURN (SELECT coalesce(sum(octet_length(data::text)), 0) FROM messages WHERE chat_id = v_chat)
    + 300 * (SELECT count(*) FROM events WHERE chat_id = v_chat AND actor IS DISTINCT FROM 'titles');
END $$;
--> statement-breakpoint
-- Adds to what a person has stored, if that is known. Only one at a time finds that it is not: what one works out
-- (take_quota) and what another adds meanwhile would contradict each other.
CREATE FUNCTION add_stored(v_person text, v_chat text, v_sign int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  FOR v_attempt IN 1..2 LOOP
    UPDATE quota_stored SET bytes = bytes + v_sign * chat_bytes(v_chat), chats = chats + v_sign
    WHERE user_id = v_person;
    EXIT WHEN FOUND OR v_attempt = 2;
    PERFORM pg_advisory_xact_lock(727275, hashtext(v_person));
  END LOOP;
END $$;
--> statement-breakpoint
CREATE FUNCTION chat_stored_elsewhere() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  PERFORM add_stored(OLD.user_id, OLD.id, -1);
  IF tg_op = 'UPDATE' THEN
    PERFORM add_stored(NEW.user_id, NEW.id, 1);
  END IF;
  RETURN NULL;
END $$;
--> statement-breakpoint
-- the name comes before those of the keys' triggers: the messages of a deleted chat are still there
CREATE TRIGGER "A_chats_deleted" AFTER DELETE ON chats FOR EACH ROW EXECUTE FUNCTION chat_stored_elsewhere();
--> statement-breakpoint
CREATE TRIGGER "A_chats_moved" AFTER UPDATE OF user_id ON chats FOR EACH ROW
  WHEN (OLD.user_id IS DISTINCT FROM NEW.user_id) EXECUTE FUNCTION chat_stored_elsewhere();
--> statement-breakpoint
-- Refuses what would take `v_taken` of a limit when there are `v_after` with it. No limit of that name: nothing happens.
CREATE FUNCTION check_quota(v_limits jsonb, v_name text, v_after bigint, v_taken bigint, v_person text, v_until timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  IF v_taken > 0 AND v_after > (v_limits ->> v_name)::bigint THEN
    RAISE EXCEPTION 'The limit "%" is reached', v_name USING ERRCODE = 'RM429', DETAIL = json_build_object(
      'limit', v_name, 'allowed', (v_limits ->> v_name)::bigint, 'used', v_after - v_taken, 'person', v_person,
      'retryAfter', ceil(extract(epoch FROM v_until - clock_timestamp())))::text;
  END IF;
END $$;
--> statement-breakpoint
-- Counts what the change of this transaction has used, and refuses it when a limit is passed (RM429: then nothing of it
-- stays). `q`: address, the numbers of messages, calls, tokens and branches, the bytes of bodies, the limits by name, and
-- `ending` for the end of a reply, which is counted and never refused. Locks are taken in one order: chat (by then held),
-- person, address, site. What is shared is summed without a lock as long as it is far from its limit; near it, one at a
-- time, so that it is exact.
CREATE FUNCTION take_quota(v_chat text, v_created boolean, q json) RETURNS void LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  u record;
  s record;
  v_person text;
  v_bytes bigint;
  v_chats int := v_created::int;
  v_day date := (clock_timestamp() AT TIME ZONE 'UTC')::date;
  v_until timestamptz := (v_day + 1)::timestamp AT TIME ZONE 'UTC';
  v_scope text;
  v_key text;
  v_prefix text;
  v_hash int;
  v_locked boolean;
BEGIN
  SELECT * INTO u FROM json_to_record(q) AS x(address text, ending boolean, branches int, messages int, calls int,
    tokens bigint, bytes bigint, limits jsonb);
  SELECT c.user_id, u.bytes + 300 * (SELECT count(*) FROM events e
    WHERE e.txid = pg_current_xact_id() AND e.chat_id = v_chat) INTO v_person, v_bytes FROM chats c WHERE c.id = v_chat;

  IF u.branches > 0 AND NOT u.ending AND u.limits -> 'branches' IS NOT NULL THEN
    PERFORM check_quota(u.limits, 'branches', (SELECT count(*) FROM branches WHERE chat_id = v_chat), u.branches,
      v_person, null);
  END IF;

  UPDATE quota_stored SET bytes = bytes + v_bytes, chats = chats + v_chats WHERE user_id = v_person
  RETURNING bytes, chats INTO s;
  IF NOT FOUND THEN
    PERFORM pg_advisory_xact_lock(727275, hashtext(v_person));
    UPDATE quota_stored SET bytes = bytes + v_bytes, chats = chats + v_chats WHERE user_id = v_person
    RETURNING bytes, chats INTO s;
    IF NOT FOUND THEN
      INSERT INTO quota_stored (user_id, bytes, chats)
      SELECT v_person, coalesce(sum(chat_bytes(c.id)), 0), count(*) FROM chats c WHERE c.user_id = v_person
      RETURNING bytes, chats INTO s;
    END IF;
  END IF;
  IF NOT u.ending THEN
    PERFORM check_quota(u.limits, 'chats', s.chats, v_chats, v_person, null);
    PERFORM check_quota(u.limits, 'bytes', s.bytes, v_bytes, v_person, null);
  END IF;

  v_hash := hashtext(v_person);
  WITH taken AS (
    INSERT INTO quota_use (scope, key, day, stripe, messages, calls, tokens, bytes, chats)
    SELECT k.scope, k.key, v_day, k.stripe, u.messages, u.calls, u.tokens, v_bytes, v_chats
    FROM (VALUES (1, 'person', v_person, 0), (2, 'address', u.address, v_hash & 7), (3, 'site', '', v_hash & 15))
      AS k(n, scope, key, stripe)
    WHERE k.key IS NOT NULL AND (k.scope = 'address' OR u.messages > 0 OR u.calls > 0 OR u.tokens > 0)
    ORDER BY k.n
    ON CONFLICT (scope, key, day, stripe) DO UPDATE SET messages = quota_use.messages + excluded.messages,
      calls = quota_use.calls + excluded.calls, tokens = quota_use.tokens + excluded.tokens,
      bytes = quota_use.bytes + excluded.bytes, chats = quota_use.chats + excluded.chats
    RETURNING scope, messages, calls, tokens)
  SELECT messages, calls, tokens INTO s FROM taken WHERE scope = 'person';
  IF u.ending THEN
    RETURN;
  END IF;
  PERFORM check_quota(u.limits, 'messages', s.messages, u.messages, v_person, v_until);
  PERFORM check_quota(u.limits, 'calls', s.calls, u.calls, v_person, v_until);
  -- a call is refused once the day's tokens are used up; how many it takes nobody knows before
  PERFORM check_quota(u.limits, 'tokens', s.tokens + 1, u.calls, v_person, v_until);

  FOREACH v_scope IN ARRAY ARRAY['address', 'site'] LOOP
    v_key := CASE v_scope WHEN 'address' THEN u.address ELSE '' END;
    v_prefix := v_scope || '_';
    CONTINUE WHEN v_key IS NULL OR (v_scope = 'site' AND u.calls = 0);
    v_locked := false;
    LOOP
      SELECT sum(messages)::bigint AS messages, sum(calls)::bigint AS calls, sum(tokens)::bigint AS tokens,
        sum(bytes)::bigint AS bytes, sum(chats)::bigint AS chats INTO s
      FROM quota_use WHERE scope = v_scope AND key = v_key AND day = v_day;
      EXIT WHEN v_locked OR NOT coalesce(s.messages + 64 > (u.limits ->> (v_prefix || 'messages'))::bigint, false)
        AND NOT coalesce(s.calls + 64 > (u.limits ->> (v_prefix || 'calls'))::bigint, false)
        AND NOT coalesce(s.bytes + 64000000 > (u.limits ->> (v_prefix || 'bytes'))::bigint, false)
        AND NOT coalesce(s.chats + 64 > (u.limits ->> (v_prefix || 'chats'))::bigint, false);
      PERFORM pg_advisory_xact_lock(727276, hashtext(v_prefix || v_key));
      v_locked := true;
    END LOOP;
    PERFORM check_quota(u.limits, v_prefix || 'messages', s.messages, u.messages, v_person, v_until);
    PERFORM check_quota(u.limits, v_prefix || 'calls', s.calls, u.calls, v_person, v_until);
    PERFORM check_quota(u.limits, v_prefix || 'tokens', s.tokens + 1, u.calls, v_person, v_until);
    PERFORM check_quota(u.limits, v_prefix || 'bytes', s.bytes, v_bytes, v_person, v_until);
    PERFORM check_quota(u.limits, v_prefix || 'chats', s.chats, v_chats, v_person, v_until);
  END LOOP;
END $$;
--> statement-breakpoint
-- commit_change, counted.
CREATE FUNCTION commit_within_quota(v_chat text, p json, q json) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_done json := commit_change(p);
BEGIN
  PERFORM take_quota(v_chat, (v_done ->> 'created')::boolean, q);
  RETURN v_done;
END $$;
--> statement-breakpoint
-- run_command, counted; a command that was run before takes nothing.
CREATE FUNCTION run_command_within_quota(p json, q json) RETURNS json LANGUAGE plpgsql AS $$
DECLARE
  v_done json := run_command(p);
BEGIN
  IF NOT (v_done ->> 'repeated')::boolean THEN
    PERFORM take_quota(v_done ->> 'chatId', (v_done -> 'done' ->> 'created')::boolean, q);
  END IF;
  RETURN v_done;
END $$;
--> statement-breakpoint
-- Lets another guest of an address begin: false when its limit for the day is reached.
CREATE FUNCTION take_guest(v_address text, v_allowed bigint) RETURNS boolean LANGUAGE plpgsql AS $$
BEGIN
  IF v_allowed < 1 THEN
    RETURN false;
  END IF;
  INSERT INTO quota_use (scope, key, day, guests)
  VALUES ('address', v_address, (clock_timestamp() AT TIME ZONE 'UTC')::date, 1)
  ON CONFLICT (scope, key, day, stripe) DO UPDATE SET guests = quota_use.guests + 1 WHERE quota_use.guests < v_allowed;
  RETURN FOUND;
END $$;
--> statement-breakpoint
-- What one person has used today counts for another from now on. What is stored follows the chats by itself.
CREATE FUNCTION move_quota(v_from text, v_to text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  WITH gone AS (DELETE FROM quota_use WHERE scope = 'person' AND key = v_from RETURNING *)
  INSERT INTO quota_use (scope, key, day, stripe, messages, calls, tokens, bytes, chats, guests)
  SELECT scope, v_to, day, stripe, messages, calls, tokens, bytes, chats, guests FROM gone
  ON CONFLICT (scope, key, day, stripe) DO UPDATE SET messages = quota_use.messages + excluded.messages,
    calls = quota_use.calls + excluded.calls, tokens = quota_use.tokens + excluded.tokens,
    bytes = quota_use.bytes + excluded.bytes, chats = quota_use.chats + excluded.chats;
END $$;
