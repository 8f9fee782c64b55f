import type { BranchState } from '@/lib/context'
import { messageAt } from './chain-sql'
import { publicId } from './rows'

export interface StateRow {
  id: string
  own: boolean
  /** the person is a member of another person's chat */
  lent: boolean
  state: BranchState | null
}

/** The chat to say where it stands. $1 chat, $2 owner, $3 branch, name or id (null = the active one) */
export const stateSql = (chat: string): string => `select c.id, c.user_id = $2 as own,
  c.user_id <> $2 and exists (select 1 from chat_members m where m.chat_id = c.id and m.person_id = $2) as lent, (
    select json_build_object('branchId', b.id, 'branchName', b.name, 'isArchived', b.archived_at is not null,
      'headId', m.id, 'context', (select json_build_object('id', x.id, 'fragments', x.fragments, 'model', x.model, 'setup', x.setup)
        from contexts x where x.chat_id = c.id and x.id = b.context_id))
    from branches b left join ${messageAt('b.chat_id', 'b.head_lane', 'b.head_depth')} m on true
    where b.chat_id = c.id and c.user_id = $2 and (b.name = $3 or b.id = coalesce($3, c.active_branch_id))
    order by (b.id = $3) desc limit 1) as state
  from ${chat}`

/** Mostly the first of these answers, and the others are not looked at. */
export const called = `(
    select * from chats where id = $1 and user_id = $2
    union all
    select * from chats k where k.user_id = $2 and ${publicId('k')} = $1
    union all
    select * from chats where id = $1
    union all
    select l.* from chat_members m join chats l on l.id = m.chat_id where m.id = $1 and m.person_id = $2
    limit 1
  ) c`
