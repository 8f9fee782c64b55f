-- A branch as CommittedBranch (lib/context/store/change.ts); `v_head` is the id of its head. In plpgsql, which keeps the plan
-- of its look-up: every change answers with a branch.
CREATE FUNCTION branch_json(k branches, v_head text) RETURNS json LANGUAGE plpgsql STABLE AS $$
BEGIN
  RETURN json_build_object('id', k.id, 'chatId', k.chat_id, 'name', k.name, 'title', k.title,
    'headMessageId', v_head, 'headLane', k.head_lane, 'headDepth', k.head_depth, 'parentBranchId', k.parent_branch_id,
    'fromEventNumber', k.from_event_number, 'contextId', k.context_id,
    'model', (SELECT x.model FROM contexts x WHERE x.chat_id = k.chat_id AND x.id = k.context_id),
    'leftOut', (SELECT x.setup -> 'leftOut' FROM contexts x WHERE x.chat_id = k.chat_id AND x.id = k.context_id),
    'createdAt', epoch_ms(k.created_at), 'archivedAt', epoch_ms(k.archived_at));
END $$;
