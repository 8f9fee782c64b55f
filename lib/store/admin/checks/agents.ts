import { advice, type Check } from './check'

/** The hashes by which agents name messages, and the branches that they write on. */
export const agentChecks: Check[] = [
  {
    invariant: 'agent-node-owner',
    advice: advice.agents,
    sql: (within) => `
select a.chat_id as chat, 'message ' || a.message_id as thing, 'is found by the words of another person than the owner of its chat' as problem
from agent_nodes a join chats c on c.id = a.chat_id
where ${within('a.chat_id')} and a.owner_id <> c.user_id`,
  },
  {
    invariant: 'agent-branch-follows-log',
    advice: advice.agentBranches,
    sql: (within) => `
select g.chat_id as chat, 'branch ' || g.branch_id as thing,
  format('is said to end with the words of an agent in message %s, which was not recorded on it', g.message_id) as problem
from agent_branches g
where ${within('g.chat_id')} and not exists (
  select 1 from events e where e.chat_id = g.chat_id and e.message_id = g.message_id and e.stream_id = g.branch_id)
union all
select distinct a.chat_id, 'branch ' || e.stream_id, 'holds words of an agent, and is not listed as its branch'
from agent_nodes a join events e on e.chat_id = a.chat_id and e.message_id = a.message_id
where ${within('a.chat_id')} and not exists (
  select 1 from agent_branches g where g.chat_id = a.chat_id and g.branch_id = e.stream_id)`,
  },
]
