import type { MemberRole, Step } from '@/lib/events'

/** A person who was let into a chat, as its log names them. */
interface NotedMember {
  id: string
  /** the person's name when they joined */
  name: string
}

/** Notes that a person has a role in the chat from now on. */
export const planMemberAdded = ({ id, name }: NotedMember, role: MemberRole): Step[] => [
  { kind: 'note', fact: { type: 'MemberAdded', payload: { member_id: id, name, role } } },
]

/** Notes that a person has left the chat, or was removed. */
export const planMemberRemoved = ({ id, name }: NotedMember): Step[] => [
  { kind: 'note', fact: { type: 'MemberRemoved', payload: { member_id: id, name } } },
]
