-- Writes what some changes of a chat amount to (Rows of lib/store/commit/rows.ts), decided on the chat as it was after its event
-- `seq`: all of it in one transaction, under the lock of the chat's row. Where the chat has gone on since, or is not there, nothing
-- is written: RM409 moved_on, for `decide` to be asked again. `v_bodies` are bodies of messages as JSON with character 30 between
-- them, which JSON never holds unescaped. `v_quotas` is the use of each change, as take_quota counts it. `v_once` is the key of a
-- command with its answer: the key's row makes a second call wait for the first. Answers null; the answer of a command that was
-- carried out before, which writes nothing.
-- Refusals besides: RM404 (a file), RM409 (a reply that is being written, a run or a replay that has moved on, what another call
-- has said meanwhile). The rules about refs are not here, but in `decide` of lib/events.
-- Every statement looks a few rows up by their keys. The settings have its plans made once and on the indexes: planned with the
-- values in hand, or for a table that is still small, they read whole chats. And none is compiled: where a table has no key for
-- it, a plan seems so dear that Postgres compiles it, for a second, before it reads a few rows of the catalog.
CREATE FUNCTION append_changes(p json, v_bodies text, v_quotas json DEFAULT NULL, v_once json DEFAULT NULL) RETURNS json
  LANGUAGE plpgsql SET plan_cache_mode = force_generic_plan SET enable_seqscan = off SET jit = off AS $$
DECLARE
  r record;
  c record;
  d record;
  q json;
  kept idempotency%rowtype;
  v_owner text;
  v_texts text[];
  v_columns text;
  v_kept int;
  v_created boolean := false;
  v_bytes bigint := 0;               -- of contexts that are new
BEGIN
  WHILE v_once IS NOT NULL LOOP
    INSERT INTO idempotency (user_id, key, route, body_hash, answer)
    VALUES (v_once ->> 'ownerId', v_once ->> 'key', v_once ->> 'route', v_once ->> 'bodyHash', v_once -> 'answer')
    ON CONFLICT (user_id, key) DO NOTHING;
    EXIT WHEN FOUND;
    SELECT * INTO kept FROM idempotency WHERE user_id = v_once ->> 'ownerId' AND key = v_once ->> 'key';
    -- the row is gone when its age had it removed just now
    IF FOUND THEN
      IF kept.route <> v_once ->> 'route' OR kept.body_hash <> v_once ->> 'bodyHash' THEN
        RAISE EXCEPTION 'This Idempotency-Key was used before, for another request'
          USING ERRCODE = 'RM409', DETAIL = 'idempotency_mismatch';
      END IF;
      RETURN kept.answer;
    END IF;
  END LOOP;

  SELECT * INTO r FROM json_to_record(p) AS x("chatId" text, "ownerId" text, seq bigint, "createdAt" double precision, "create" json,
    chat json, contexts json, lanes json, messages json, events json, deeds json, files json, opened json, heads json, named json,
    checkpoints json, forgotten json, steerings json);
  SELECT * INTO c FROM json_to_record(r.chat) AS x(seq bigint, at double precision, title text, metadata jsonb, "activeBranchId" text,
    "nextLane" int, "undoSeq" bigint, "redoSeq" bigint);
  IF r."create" IS NOT NULL THEN
    INSERT INTO chats (id, alias, user_id, title, metadata, active_branch_id, next_lane, last_seq, undo_seq, redo_seq, created_at,
      updated_at, origin)
    VALUES (r."chatId", r."create" ->> 'alias', r."create" ->> 'userId', c.title, coalesce(c.metadata, '{}'), c."activeBranchId",
      c."nextLane", c.seq, c."undoSeq", c."redoSeq", to_timestamp(r."createdAt" / 1000),
      greatest(to_timestamp(r."createdAt" / 1000), to_timestamp(c.at / 1000)),
      coalesce((r."create" ->> 'origin')::uuid, gen_random_uuid()))
    ON CONFLICT (id) DO NOTHING RETURNING user_id INTO v_owner;
    v_created := FOUND;
    IF NOT FOUND AND r."create" ->> 'alias' IS NOT NULL THEN
      RAISE EXCEPTION 'chat % is there already', r."chatId" USING ERRCODE = 'RM001';
    END IF;
  ELSE
    UPDATE chats k SET title = coalesce(c.title, k.title),
      metadata = CASE WHEN c.metadata IS NULL THEN k.metadata ELSE k.metadata || c.metadata END,
      active_branch_id = coalesce(c."activeBranchId", k.active_branch_id), next_lane = c."nextLane", last_seq = c.seq, undo_seq = c."undoSeq",
      redo_seq = c."redoSeq", updated_at = greatest(k.updated_at, to_timestamp(c.at / 1000))
    WHERE k.id = r."chatId" AND k.user_id = coalesce(r."ownerId", k.user_id) AND k.last_seq = r.seq
      AND epoch_ms(k.created_at) = r."createdAt"
    RETURNING k.user_id INTO v_owner;
  END IF;
  IF v_owner IS NULL THEN
    RAISE EXCEPTION 'The chat has moved on' USING ERRCODE = 'RM409', DETAIL = 'moved_on';
  END IF;

  IF r.contexts IS NOT NULL THEN
    WITH stored AS (
      INSERT INTO contexts (chat_id, id, fragments, model, setup, created_at)
      SELECT r."chatId", x.id, x.fragments, x.model, x.setup, to_timestamp(x.at / 1000)
      FROM json_to_recordset(r.contexts) AS x(id text, fragments json, model text, setup json, at double precision)
      ON CONFLICT (chat_id, id) DO NOTHING RETURNING fragments, setup)
    SELECT coalesce(sum(octet_length(fragments::text) + coalesce(octet_length(setup::text), 0)), 0) INTO v_bytes FROM stored;
  END IF;
  IF r.messages IS NOT NULL THEN
    v_texts := string_to_array(v_bodies, chr(30));
    -- in one statement, for the keys: a lane may hang below one of the messages, and the messages stand in the lanes
    WITH opened AS (
      INSERT INTO lanes (chat_id, lane, parent_lane, base_depth)
      SELECT r."chatId", x.lane, x."parentLane", x."baseDepth"
      FROM json_to_recordset(r.lanes) AS x(lane int, "parentLane" int, "baseDepth" int))
    INSERT INTO messages (chat_id, lane, depth, id, parent_id, merge_parent_id, copied_from_id, name, type, status, data, preview,
      holds, context_id, run_id, created_at)
    SELECT r."chatId", x.lane, x.depth, x.id, x."parentId", x."mergeParentId", x."copiedFromId", x.name, x.type, x.status,
      v_texts[x.body]::json, x.preview, x.holds, x."contextId", x."runId", to_timestamp(x."createdAt" / 1000)
    FROM json_to_recordset(r.messages) AS x(id text, lane int, depth int, "parentId" text, "mergeParentId" text,
      "copiedFromId" text, name text, type text, status text, body int, preview text, holds text, "contextId" text, "runId" text,
      "createdAt" double precision);
  END IF;
  IF r.events IS NOT NULL THEN
    INSERT INTO events (chat_id, seq, stream_id, event_number, message_id, type, version, payload, actor, created_at)
    SELECT r."chatId", x.seq, x.stream, x.number, x."messageId", x.type, x.version, x.payload, x.actor, to_timestamp(x.at / 1000)
    FROM json_to_recordset(r.events) AS x(seq bigint, stream text, number int, "messageId" text, type text, version int,
      payload jsonb, actor text, at double precision);
  END IF;
  IF r.files IS NOT NULL THEN
    -- the person before the files, as a deleted chat does, so that the two never wait for each other
    INSERT INTO quota_person AS k (user_id) VALUES (v_owner) ON CONFLICT (user_id) DO UPDATE SET bytes = k.bytes;
    FOR d IN SELECT * FROM json_array_elements_text(r.files) AS x(id) LOOP
      INSERT INTO chat_files (chat_id, file_id)
      SELECT r."chatId", f.id FROM files f WHERE f.id = d.id AND f.owner_id = v_owner AND f.is_whole
      ON CONFLICT (chat_id, file_id) DO UPDATE SET file_id = d.id;
      IF NOT FOUND THEN
        RAISE EXCEPTION 'File "%" not found', d.id USING ERRCODE = 'RM404', DETAIL = 'file';
      END IF;
    END LOOP;
  END IF;

  IF r.named IS NOT NULL THEN
    -- first out of each other's way: two branches may have changed names
    IF json_array_length(r.named) > 1 THEN
      FOR d IN SELECT * FROM json_to_recordset(r.named) AS x(id text, name text) LOOP
        UPDATE branches SET name = chr(1) || id WHERE chat_id = r."chatId" AND id = d.id AND name <> d.name;
      END LOOP;
    END IF;
    FOR d IN SELECT * FROM json_to_recordset(r.named) AS x(id text, name text, title text, "archivedAt" double precision) LOOP
      UPDATE branches SET name = d.name, title = d.title, archived_at = to_timestamp(d."archivedAt" / 1000)
      WHERE chat_id = r."chatId" AND id = d.id;
    END LOOP;
  END IF;
  IF r.opened IS NOT NULL THEN
    -- commands name a thread without its chat: the lock makes a second chat that begins with this id wait, and then be refused
    FOR d IN SELECT x.id FROM json_to_recordset(r.opened) AS x(id text) ORDER BY x.id LOOP
      PERFORM pg_advisory_xact_lock(hashtextextended(v_owner || ' ' || d.id, 0));
      IF EXISTS (SELECT 1 FROM branches b JOIN chats k ON k.id = b.chat_id AND k.user_id = v_owner WHERE b.id = d.id) THEN
        RAISE EXCEPTION 'A branch with the id "%" exists already', d.id USING ERRCODE = 'RM409', DETAIL = 'name_taken';
      END IF;
    END LOOP;
    INSERT INTO branches (chat_id, id, name, title, head_lane, head_depth, parent_branch_id, from_event_number, context_id, created_at,
      archived_at)
    SELECT r."chatId", x.id, x.name, x.title, x.lane, x.depth, x.parent, x."from", x."contextId", to_timestamp(x.at / 1000),
      to_timestamp(x."archivedAt" / 1000)
    FROM json_to_recordset(r.opened) AS x(id text, name text, title text, lane int, depth int, parent text, "from" int,
      "contextId" text, at double precision, "archivedAt" double precision);
  END IF;
  FOR d IN SELECT * FROM json_to_recordset(r.heads) AS x(id text, lane int, depth int, "contextId" text) LOOP
    UPDATE branches SET head_lane = d.lane, head_depth = d.depth, context_id = d."contextId" WHERE chat_id = r."chatId" AND id = d.id;
  END LOOP;
  FOR d IN SELECT * FROM json_array_elements_text(r.forgotten) AS x(name) LOOP
    DELETE FROM checkpoints WHERE chat_id = r."chatId" AND name = d.name;
  END LOOP;
  IF r.checkpoints IS NOT NULL THEN
    INSERT INTO checkpoints (chat_id, id, name, lane, depth, created_at)
    SELECT r."chatId", x.id, x.name, x.lane, x.depth, to_timestamp(x.at / 1000)
    FROM json_to_recordset(r.checkpoints) AS x(id text, name text, lane int, depth int, at double precision)
    ON CONFLICT (chat_id, name) DO UPDATE SET id = excluded.id, lane = excluded.lane, depth = excluded.depth,
      created_at = excluded.created_at;
  END IF;
  IF r.steerings IS NOT NULL THEN
    INSERT INTO agent_steers (chat_id, branch_id, target_id, created_at, followed_at)
    SELECT r."chatId", x.id, x."to", to_timestamp(x.at / 1000), to_timestamp(x."followedAt" / 1000)
    FROM json_to_recordset(r.steerings) AS x(id text, "to" text, at double precision, "followedAt" double precision)
    ON CONFLICT (chat_id, branch_id) DO UPDATE SET target_id = excluded.target_id, created_at = excluded.created_at,
      followed_at = excluded.followed_at;
  END IF;

  FOR d IN SELECT * FROM json_to_recordset(r.deeds) AS x("do" text, id text, "contextId" text, at double precision, "branchId" text,
    "replyTo" text, "replyId" text, model text, answers jsonb, continues text, "leaseMs" double precision, fence int, status text,
    error jsonb, nodes json, agent json,
    kind text, version int, what json)
  LOOP
    CASE d."do"
    WHEN 'queue' THEN
      INSERT INTO runs (chat_id, id, branch_id, reply_to, reply_id, model, context_id, answers, continues, status, lease_until,
        fence, created_at)
      VALUES (r."chatId", d.id, d."branchId", d."replyTo", d."replyId", d.model, d."contextId", d.answers, d.continues,
        CASE WHEN d."leaseMs" IS NULL THEN 'queued' ELSE 'running' END,
        clock_timestamp() + d."leaseMs" * interval '1 millisecond', (d."leaseMs" IS NOT NULL)::int, to_timestamp(d.at / 1000));
    WHEN 'end' THEN
      UPDATE runs SET status = d.status, error = d.error, ended_at = to_timestamp(d.at / 1000), lease_until = NULL
      WHERE chat_id = r."chatId" AND id = d.id AND status = 'running' AND fence = d.fence;
      IF NOT FOUND THEN
        RAISE EXCEPTION 'Run "%" is over or was taken over', d.id USING ERRCODE = 'RM409', DETAIL = 'run_over';
      END IF;
    WHEN 'wait for none' THEN
      IF EXISTS (SELECT 1 FROM runs WHERE chat_id = r."chatId" AND branch_id = d.id AND status IN ('queued', 'running')) THEN
        RAISE EXCEPTION 'A reply is being written on this branch' USING ERRCODE = 'RM409', DETAIL = 'reply_in_progress';
      END IF;
    WHEN 'nodes' THEN
      -- in the order of their chains, so of two calls that say the same the second waits at the first row that they share. The
      -- latest message has the name in a moved chain, where an agent that is pinned to a branch may say the same again, and by
      -- the id of a response, since providers may give one id to many
      INSERT INTO agent_nodes AS k (owner_id, hash, chat_id, message_id, chain, moved)
      SELECT v_owner, decode(x.hash, 'hex'), r."chatId", x."messageId", decode(x.chain, 'hex'), coalesce(x.moved, false)
      FROM json_to_recordset(d.nodes) AS x(hash text, "messageId" text, chain text, moved boolean)
      ON CONFLICT (owner_id, hash) DO UPDATE SET chat_id = excluded.chat_id, message_id = excluded.message_id,
        chain = excluded.chain, moved = excluded.moved
      WHERE excluded.chain IS NOT NULL OR (excluded.moved AND k.chat_id = excluded.chat_id);
      GET DIAGNOSTICS v_kept = ROW_COUNT;
      -- each hash is one look at the key: the plan of a join, once kept, reads all that agents of this owner have said
      IF v_kept < json_array_length(d.nodes) AND EXISTS (SELECT 1 FROM json_to_recordset(d.nodes) AS x(hash text, "messageId" text)
        WHERE (SELECT (k.chat_id, k.message_id) <> (r."chatId", x."messageId") FROM agent_nodes k
          WHERE k.owner_id = v_owner AND k.hash = decode(x.hash, 'hex'))) THEN
        RAISE EXCEPTION 'Another call has said the same' USING ERRCODE = 'RM409', DETAIL = 'head_moved';
      END IF;
      IF d.agent IS NOT NULL THEN
        INSERT INTO agent_branches (chat_id, branch_id, message_id, client, key_id, called_at)
        VALUES (r."chatId", d.agent ->> 'branchId', d.nodes -> -1 ->> 'messageId', d.agent ->> 'client', d.agent ->> 'keyId',
          to_timestamp(d.at / 1000))
        ON CONFLICT (chat_id, branch_id) DO UPDATE SET message_id = excluded.message_id, client = excluded.client,
          key_id = excluded.key_id, called_at = excluded.called_at;
      END IF;
    WHEN 'keep' THEN
      -- a replay or a bisect, by its columns: begun, or moved on from the state of `version`
      v_columns := (SELECT string_agg(quote_ident(x), ', ') FROM json_object_keys(d.what) x);
      IF d.version IS NULL THEN
        EXECUTE format('INSERT INTO %1$I (%2$s) SELECT %2$s FROM json_populate_record(NULL::%1$I, $1)', d.kind, v_columns)
        USING d.what;
      ELSE
        EXECUTE format('UPDATE %1$I SET (%2$s) = (SELECT %2$s FROM json_populate_record(NULL::%1$I, $1))
          WHERE chat_id = $2 AND id = $3 AND version = $4 RETURNING id', d.kind, v_columns)
        INTO d.id USING d.what, r."chatId", d.id, d.version;
        IF d.id IS NULL THEN
          RAISE EXCEPTION 'What goes on has moved on' USING ERRCODE = 'RM409', DETAIL = 'replay_moved';
        END IF;
      END IF;
    ELSE
      RAISE EXCEPTION 'unknown deed %', d."do" USING ERRCODE = 'RM001';
    END CASE;
  END LOOP;

  FOR q IN SELECT x FROM json_array_elements(v_quotas) x LOOP
    PERFORM take_quota(r."chatId", v_created, q, v_bytes);
    v_created := false;
    v_bytes := 0;
  END LOOP;
  RETURN NULL;
END $$;
