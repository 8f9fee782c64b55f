-- Creates a chat, unless one has its key; says whether it did. `alias` is the owner's name for a chat whose key is not the
-- id that the owner chose: then the key must be free. A chat of the same owner with that name is a unique violation of
-- chats_public_id.
CREATE FUNCTION create_chat(v_chat text, v_create json, v_at timestamptz) RETURNS boolean LANGUAGE plpgsql AS $$
DECLARE
  v_alias text := v_create ->> 'alias';
BEGIN
  INSERT INTO chats (id, alias, user_id, title, metadata, active_branch_id, created_at, updated_at)
  VALUES (v_chat, v_alias, v_create ->> 'userId', v_create ->> 'title', coalesce((v_create ->> 'metadata')::jsonb, '{}'),
    v_create ->> 'branchId', v_at, v_at)
  ON CONFLICT (id) DO NOTHING;
  IF v_alias IS NOT NULL AND NOT FOUND THEN
    RAISE EXCEPTION 'chat % is there already', v_chat USING ERRCODE = 'RM001';
  END IF;
  RETURN FOUND;
END $$;
