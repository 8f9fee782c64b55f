import type { Check } from './check'

/** What a chat is called leads to it, and to no other of its owner's. The database sees to the rest (`chats_public_id`). */
export const chatChecks: Check[] = [
  {
    invariant: 'chat-called-once',
    advice: 'Set its alias to null: it is called by its own key then.',
    sql: (within) => `
select c.id as chat, 'the chat' as thing,
  format('is called %s, which is the key of another chat of its owner', c.alias) as problem
from chats c join chats o on o.id = c.alias and o.user_id = c.user_id and o.id <> c.id
where ${within('c.id')}`,
  },
]
