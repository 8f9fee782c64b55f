-- Whether an agent of an owner was ever moved. Most owners have never moved one, and have many chats. In plpgsql: the embedded
-- database plans a plain statement anew for every call of an agent, which waits for the answer.
CREATE FUNCTION has_moved_agents(v_owner text) RETURNS boolean LANGUAGE plpgsql STABLE
  SET plan_cache_mode = force_generic_plan AS $$
BEGIN
  IF NOT EXISTS (SELECT 1 FROM agent_steers) THEN
    RETURN false;
  END IF;
  RETURN EXISTS (SELECT 1 FROM agent_steers s JOIN chats c ON c.id = s.chat_id WHERE c.user_id = v_owner);
END $$;
