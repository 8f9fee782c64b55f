-- What the first version left in a database, beside the tables of its three migrations: its functions, the triggers that
-- ran them, and one chat as its commit_change stored it. Of the functions the parameters matter, which today's replace.

CREATE FUNCTION refuse_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE FUNCTION refuse_partial_delete() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE FUNCTION check_place() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN NULL; END $$;
CREATE FUNCTION message_text(data json) RETURNS text LANGUAGE plpgsql IMMUTABLE AS $$ BEGIN RETURN ''; END $$;
CREATE FUNCTION free_branch_name(v_chat text, v_base text) RETURNS text LANGUAGE plpgsql STABLE
  AS $$ BEGIN RETURN v_base; END $$;
CREATE FUNCTION log_event(
  v_chat text, v_seq bigint, v_stream text, v_number int, v_type text, v_payload jsonb, v_actor text, v_at timestamptz
) RETURNS void LANGUAGE plpgsql AS $$ BEGIN END $$;
CREATE FUNCTION chat_event_number(v_chat text, v_numbers jsonb) RETURNS int LANGUAGE plpgsql STABLE
  AS $$ BEGIN RETURN 0; END $$;
CREATE FUNCTION epoch_ms(t timestamptz) RETURNS double precision LANGUAGE sql STABLE AS $$ SELECT 0.0::float8 $$;
CREATE FUNCTION branch_json(k branches, v_head text) RETURNS json LANGUAGE sql STABLE AS $$ SELECT '{}'::json $$;
CREATE FUNCTION checkpoint_json(k checkpoints, v_message text) RETURNS json LANGUAGE sql STABLE
  AS $$ SELECT '{}'::json $$;
CREATE FUNCTION add_branch(
  v_chat text, v_id text, v_name text, v_lane int, v_depth int, v_head text, v_stream text, v_from int, v_context text,
  v_seq bigint, v_actor text, v_at timestamptz
) RETURNS int LANGUAGE plpgsql AS $$ BEGIN RETURN 0; END $$;
CREATE FUNCTION commit_change(p json) RETURNS json LANGUAGE plpgsql AS $$ BEGIN RETURN p; END $$;

CREATE TRIGGER messages_check_place AFTER INSERT ON messages
  REFERENCING NEW TABLE AS added FOR EACH STATEMENT EXECUTE FUNCTION check_place();
DO $$ DECLARE kept text; BEGIN
  FOREACH kept IN ARRAY array['messages', 'lanes', 'contexts', 'events'] LOOP
    EXECUTE format('CREATE TRIGGER %1$s_no_change BEFORE UPDATE OR TRUNCATE ON %1$s
      FOR EACH STATEMENT EXECUTE FUNCTION refuse_change()', kept);
    EXECUTE format('CREATE TRIGGER %1$s_no_partial_delete AFTER DELETE ON %1$s
      REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION refuse_partial_delete()', kept);
  END LOOP;
END $$;

INSERT INTO "user" (id, name, email) VALUES ('ada', 'Ada', 'ada@users.invalid');
BEGIN;
SET CONSTRAINTS ALL DEFERRED;
INSERT INTO chats (id, user_id, active_branch_id, next_lane, last_seq, created_at, updated_at)
  VALUES ('trip', 'ada', 'branch-1', 1, 3, to_timestamp(0.001), to_timestamp(0.001));
INSERT INTO lanes (chat_id, lane, base_depth) VALUES ('trip', 0, 0);
INSERT INTO messages (chat_id, lane, depth, id, name, data, preview, search, created_at) VALUES ('trip', 0, 0, 'q1', 'user',
  '{"id":"q1","role":"user","parts":[{"type":"text","text":"the Colosseum"}]}', 'the Colosseum',
  '''colosseum'':2 ''the'':1', to_timestamp(0.001));
INSERT INTO branches (chat_id, id, name, head_lane, head_depth, from_event_number, created_at)
  VALUES ('trip', 'branch-1', 'main', 0, 0, 0, to_timestamp(0.001));
INSERT INTO checkpoints (chat_id, id, name, lane, depth, created_at)
  VALUES ('trip', 'mark-1', 'mark', 0, 0, to_timestamp(0.001));
INSERT INTO events (chat_id, seq, stream_id, event_number, message_id, type, payload, created_at) VALUES
  ('trip', 1, 'branch-1', 1, NULL, 'ThreadCreated',
    '{"name": "main", "thread_id": "branch-1", "context_id": null, "head_message_id": null}', to_timestamp(0.001)),
  ('trip', 2, 'branch-1', 2, 'q1', 'UserMessageAdded', '{"role": "user", "message_id": "q1"}', to_timestamp(0.001)),
  ('trip', 3, 'trip', 1, NULL, 'CheckpointSaved', '{"name": "mark", "message_id": "q1"}', to_timestamp(0.001));
COMMIT;
