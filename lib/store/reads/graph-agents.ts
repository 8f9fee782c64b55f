/** The branches of a chat that agents write on, as its graph shows them; null for none. */
export const graphAgents = (chat: string): string => `(
  select json_agg(json_build_object('branchId', g.branch_id, 'messageId', g.message_id, 'client', g.client, 'key', k.name,
      'calledAt', epoch_ms(g.called_at), 'model', x.model, 'steering', case when s.branch_id is not null then json_build_object(
        'toId', s.target_id, 'at', epoch_ms(s.created_at), 'followedAt', epoch_ms(s.followed_at)) end)
      order by g.called_at, g.branch_id)
    from agent_branches g left join agent_steers s on s.chat_id = g.chat_id and s.branch_id = g.branch_id
    left join api_keys k on k.id = g.key_id
    left join branches b on b.chat_id = g.chat_id and b.id = g.branch_id
    left join contexts x on x.chat_id = b.chat_id and x.id = b.context_id
    where g.chat_id = ${chat})`
