import { advice, type Check } from './check'

/** What is said to be searchable is. */
export const searchChecks: Check[] = [
  {
    invariant: 'search-is-complete',
    advice: advice.search,
    sql: (within) => `
select e.chat_id as chat, 'message ' || e.message_id as thing,
  'is not among what can be searched, though its chat was indexed further' as problem
from search_progress p join events e on e.chat_id = p.chat_id and e.seq <= p.seq and e.message_id is not null
join messages m on m.chat_id = e.chat_id and m.id = e.message_id
left join message_search s on s.chat_id = m.chat_id and s.lane = m.lane and s.depth = m.depth
where ${within('e.chat_id')} and s.chat_id is null`,
  },
]
