import { advice, type Check } from './check'

/** Runs, and the replies they left. */
export const runChecks: Check[] = [
  {
    invariant: 'one-live-run',
    advice: advice.runs,
    sql: (within) => `
select r.chat_id as chat, 'branch ' || coalesce(min(b.name), r.branch_id) as thing,
  format('has %s live runs: %s', count(*), string_agg(r.id, ', ' order by r.id)) as problem
from runs r left join branches b on b.chat_id = r.chat_id and b.id = r.branch_id
where ${within('r.chat_id')} and r.status in ('queued', 'running')
group by r.chat_id, r.branch_id having count(*) > 1`,
  },
  {
    invariant: 'run-and-reply',
    advice: advice.runs,
    sql: (within) => `
select r.chat_id as chat, 'run ' || r.id as thing, case
  when m.id is null then format('is completed, but its reply %s is not stored', r.reply_id)
  when m.run_id is distinct from r.id then format('is completed, but message %s is not its reply', m.id)
  when m.parent_id is distinct from r.reply_to then format('answers %s, but its reply stands below %s', r.reply_to,
    coalesce(m.parent_id, 'nothing'))
  else format('is %s, but its reply is %s', r.status, coalesce(m.status, 'completed')) end as problem
from runs r left join messages m on m.chat_id = r.chat_id and m.id = r.reply_id
where ${within('r.chat_id')} and case
  when r.status = 'completed' and (m.id is null or m.run_id is distinct from r.id) then true
  when m.run_id is distinct from r.id then false
  else m.parent_id is distinct from r.reply_to or r.status <> coalesce(m.status, 'completed') end
union all
select m.chat_id, 'message ' || m.id, format('says it is of run %s, whose reply is %s', r.id, r.reply_id)
from messages m join runs r on r.chat_id = m.chat_id and r.id = m.run_id
where ${within('m.chat_id')} and r.reply_id <> m.id`,
  },
  {
    invariant: 'replay-follows-branch',
    advice: advice.runs,
    sql: (within) => `
select p.chat_id as chat, 'replay ' || p.id as thing, case
  when p.asked > json_array_length(p.questions) then format('has asked %s of %s', p.asked, json_array_length(p.questions))
  else format('has asked message %s last, which is no copy of %s', m.id, p.questions ->> (p.asked - 1)) end as problem
from replays p left join messages m on m.chat_id = p.chat_id and m.id = p.last_id
where ${within('p.chat_id')} and (p.asked > json_array_length(p.questions)
  -- in other words it is no copy
  or (p.asked > 0 and m.copied_from_id is distinct from p.questions ->> (p.asked - 1)
    and not (p.asked = 1 and p.content is not null)))`,
  },
]
