import { advice, type Check } from './check'

/** The hashes by which agents name messages. */
export const agentChecks: Check[] = [
  {
    invariant: 'agent-node-owner',
    advice: advice.agents,
    sql: (within) => `
select a.chat_id as chat, 'message ' || a.message_id as thing, 'is found by the words of another person than the owner of its chat' as problem
from agent_nodes a join chats c on c.id = a.chat_id
where ${within('a.chat_id')} and a.owner_id <> c.user_id`,
  },
]
