-- A checkpoint as CheckpointData (lib/context); `v_message` is the id of its message.
CREATE FUNCTION checkpoint_json(k checkpoints, v_message text) RETURNS json LANGUAGE sql STABLE AS $$
  SELECT json_build_object('id', k.id, 'chatId', k.chat_id, 'name', k.name, 'messageId', v_message,
    'createdAt', epoch_ms(k.created_at))
$$;
