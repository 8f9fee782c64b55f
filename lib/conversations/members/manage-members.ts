import { NotFoundError, planMemberAdded, planMemberRemoved } from '@/lib/context'
import type { ChatId, MemberRole, UserId } from '@/lib/events'
import type { Membership, StoredMember } from '@/lib/protocol'
import { inCalledChat } from '../chats/called-chat'
import { InvalidRequestError } from '../errors'
import type { MembersPorts } from './members-port'
import { noteMember } from './note-member'

/** An invitation is good for so long unless told otherwise, in ms. */
const WEEK = 7 * 24 * 60 * 60_000

interface OfChat {
  ownerId: UserId
  chatId: ChatId
}

/** The chat has as many members and invitations as it may have. */
interface TooMany {
  isFull: true
}

/**
 * The people of a chat, for its owner and its members. Invitations are for the owner alone.
 *
 * @throws NotFoundError
 */
export function listMembers(
  ports: MembersPorts,
  { ownerId: personId, chatId: called }: OfChat,
): Promise<{ ownerId: UserId; ownerName: string; members: StoredMember[] }> {
  return inCalledChat(
    ports,
    { ownerId: personId, chatId: called },
    async (chat) => {
      await checkChat(ports, chat)
      const [all, ownerName] = await Promise.all([
        ports.members.list(chat.chatId),
        ports.members.ownerName(chat.chatId),
      ])
      const members = chat.membership ? all.filter((one) => one.personId !== null) : all
      return { ownerId: chat.ownerId, ownerName, members }
    },
    'reads',
  )
}

/**
 * Invites a person to a chat. The token of the link is told this once.
 *
 * @throws NotFoundError, InvalidRequestError
 */
export function inviteMember(
  ports: MembersPorts,
  {
    role,
    email,
    expiresAt = ports.clock() + WEEK,
    ...called
  }: OfChat & { role: MemberRole; email?: string | undefined; expiresAt?: number | undefined },
): Promise<{ id: string; token: string } | TooMany> {
  if (expiresAt <= ports.clock())
    throw new InvalidRequestError('The time at which the invitation ends has passed. Choose a later one.')
  return inCalledChat(ports, called, async (chat) => {
    await checkChat(ports, chat)
    const id = ports.newId()
    const invitation = { id, chatId: chat.chatId, role, email: email ?? null, expiresAt }
    const token = await ports.members.invite(chat.ownerId, invitation)
    return token === undefined ? { isFull: true } : { id, token }
  })
}

/**
 * Gives a member another role, or the person who will take an invitation.
 *
 * @throws NotFoundError
 */
export function changeRole(
  ports: MembersPorts,
  { memberId, role, ...called }: OfChat & { memberId: string; role: MemberRole },
): Promise<void> {
  return inCalledChat(ports, called, async (chat) => {
    await checkChat(ports, chat)
    const member = await memberOf(ports, chat, memberId)
    if (member.role === role) return
    await ports.members.changeRole(chat.chatId, memberId, role)
    if (member.personId !== null) await noteMember(ports, chat, planMemberAdded(member, role))
  })
}

/**
 * Removes a member, or takes an invitation back. A member may leave.
 *
 * @throws NotFoundError
 */
export function removeMember(
  ports: MembersPorts,
  { memberId, ...called }: OfChat & { memberId: string },
): Promise<void> {
  return inCalledChat(
    ports,
    called,
    async (chat) => {
      await checkChat(ports, chat)
      if (chat.membership && chat.membership.id !== memberId) throw new NotFoundError('member', memberId)
      const member = await memberOf(ports, chat, memberId)
      await ports.members.remove(chat.chatId, memberId)
      if (member.personId !== null) await noteMember(ports, chat, planMemberRemoved(member))
    },
    'reads',
  )
}

/** @throws NotFoundError for a chat that is not the owner's */
async function checkChat(
  { reads }: Pick<MembersPorts, 'reads'>,
  { ownerId, chatId, membership }: OfChat & { membership?: Membership },
): Promise<void> {
  if (membership) return
  const { chat } = await reads.branchState(chatId, ownerId)
  if (chat !== 'own') throw new NotFoundError('chat', chatId)
}

async function memberOf(
  { members }: Pick<MembersPorts, 'members'>,
  { chatId }: OfChat,
  id: string,
): Promise<StoredMember> {
  const member = (await members.list(chatId)).find((one) => one.id === id)
  if (!member) throw new NotFoundError('member', id)
  return member
}
