-- What persons, network addresses and the whole site have used, counted in the transaction that uses it.

-- What many share, on one UTC day: spread over rows (`stripe`), so that they do not wait for each other. It is their sum.
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
	CONSTRAINT "quota_use_scope" CHECK (scope in ('address', 'site'))
) WITH (fillfactor = 50);
--> statement-breakpoint
CREATE INDEX "quota_use_day" ON "quota_use" USING btree ("day");
--> statement-breakpoint
-- A person's: what is stored, and what was used on the last day there was any. Where nobody has counted what is stored it
-- is null, and the next write that counts works it out under the lock of this row.
CREATE TABLE "quota_person" (
	"user_id" text PRIMARY KEY NOT NULL REFERENCES "public"."user"("id") ON DELETE cascade,
	"bytes" bigint,
	"chats" integer,
	"day" date,
	"messages" integer DEFAULT 0 NOT NULL,
	"calls" integer DEFAULT 0 NOT NULL,
	"tokens" bigint DEFAULT 0 NOT NULL
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
-- Adds a chat to what a person has stored, or takes it away, if that is known. The row is made where there is none: one
-- that works out what is stored (take_quota) waits for it, and it for that one.
CREATE FUNCTION add_stored(v_person text, v_chat text, v_sign int) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO quota_person (user_id) VALUES (v_person)
  ON CONFLICT (user_id) DO UPDATE SET chats = quota_person.chats + v_sign,
    bytes = CASE WHEN quota_person.bytes IS NOT NULL THEN quota_person.bytes + v_sign * chat_bytes(v_chat) END;
END $$;
--> statement-breakpoint
-- Works out what a person has stored, if that is not known: after a refusal, which keeps nothing of what it has found out.
CREATE FUNCTION count_stored(v_person text) RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO quota_person (user_id) VALUES (v_person) ON CONFLICT (user_id) DO NOTHING;
  PERFORM 1 FROM quota_person WHERE user_id = v_person FOR UPDATE;
  UPDATE quota_person SET (bytes, chats) = (
    SELECT coalesce(sum(chat_bytes(c.id)), 0), count(*) FROM chats c WHERE c.user_id = v_person)
  WHERE user_id = v_person AND bytes IS NULL;
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
-- Refuses a write: the limit of that name is reached, with `v_used` before it.
CREATE FUNCTION refuse_quota(v_limits jsonb, v_name text, v_used bigint, v_person text, v_until timestamptz)
RETURNS void LANGUAGE plpgsql AS $$
BEGIN
  RAISE EXCEPTION 'The limit "%" is reached', v_name USING ERRCODE = 'RM429', DETAIL = json_build_object(
    'limit', v_name, 'allowed', (v_limits ->> v_name)::bigint, 'used', v_used, 'person', v_person,
    'retryAfter', ceil(extract(epoch FROM v_until - clock_timestamp())))::text;
END $$;
--> statement-breakpoint
-- Counts what the change of this transaction has used, and refuses it when a limit is passed (RM429: then nothing of it
-- stays). `q`: address, the numbers of messages, calls, tokens and branches, the bytes of bodies, the limits by name, and
-- `ending` for the end of a reply, which is counted and never refused. Locks are taken in one order: chat (by then held),
-- person, address, site. What is shared is summed without a lock as long as it is far from its limit; near it, one at a
-- time, so that it is exact. A limit that is not set is null, and nothing is greater than null.
CREATE FUNCTION take_quota(v_chat text, v_created boolean, q json) RETURNS void LANGUAGE plpgsql
  SET plan_cache_mode = force_generic_plan SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  u record;
  s record;
  v_person text;
  v_bytes bigint;
  v_stored bigint;
  v_owned int;
  v_chats int := v_created::int;
  v_day date := (clock_timestamp() AT TIME ZONE 'UTC')::date;
  v_until timestamptz := (v_day + 1)::timestamp AT TIME ZONE 'UTC';
  v_hash int;
  v_over text;
BEGIN
  SELECT * INTO u FROM json_to_record(q) AS x(address text, ending boolean, branches int, messages int, calls int,
    tokens bigint, bytes bigint, limits jsonb);
  SELECT c.user_id, u.bytes + 300 * (SELECT count(*) FROM events e
    WHERE e.txid = pg_current_xact_id() AND e.chat_id = v_chat) INTO v_person, v_bytes FROM chats c WHERE c.id = v_chat;
  v_hash := hashtext(v_person);

  IF u.branches > 0 AND NOT u.ending AND (SELECT count(*) FROM branches WHERE chat_id = v_chat)
    > (u.limits ->> 'branches')::bigint THEN
    PERFORM refuse_quota(u.limits, 'branches', (SELECT count(*) FROM branches WHERE chat_id = v_chat) - u.branches,
      v_person, null);
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
      SELECT coalesce(sum(chat_bytes(c.id)), 0), count(*) FROM chats c WHERE c.user_id = v_person)
    WHERE user_id = v_person RETURNING bytes, chats INTO v_stored, v_owned;
  END IF;
  IF NOT u.ending THEN
    -- a call is refused once the day's tokens are used up; how many it takes nobody knows before
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
DECLARE
  f quota_person%rowtype;
BEGIN
  SELECT * INTO f FROM quota_person WHERE user_id = v_from FOR UPDATE;
  IF NOT FOUND OR f.day IS DISTINCT FROM (clock_timestamp() AT TIME ZONE 'UTC')::date THEN
    RETURN;
  END IF;
  UPDATE quota_person SET messages = 0, calls = 0, tokens = 0 WHERE user_id = v_from;
  INSERT INTO quota_person (user_id, day, messages, calls, tokens) VALUES (v_to, f.day, f.messages, f.calls, f.tokens)
  ON CONFLICT (user_id) DO UPDATE SET day = f.day,
    messages = f.messages + CASE WHEN quota_person.day = f.day THEN quota_person.messages ELSE 0 END,
    calls = f.calls + CASE WHEN quota_person.day = f.day THEN quota_person.calls ELSE 0 END,
    tokens = f.tokens + CASE WHEN quota_person.day = f.day THEN quota_person.tokens ELSE 0 END;
END $$;
