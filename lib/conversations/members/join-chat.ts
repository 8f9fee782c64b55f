import { NotFoundError, planMemberAdded } from '@/lib/context'
import type { ChatId, UserId } from '@/lib/events'
import type { Invitation, SharedChat } from '@/lib/protocol'
import { copyShown } from '../shares/fork-share'
import type { JoiningPorts, MembersPorts } from './members-port'
import { noteMember } from './note-member'

/**
 * An invitation that a person may take.
 *
 * @throws NotFoundError, the same for every token that invites this person to nothing
 */
export async function lookAtInvitation(
  { members }: Pick<MembersPorts, 'members'>,
  { personId, token }: { personId: UserId; token: string },
): Promise<Invitation> {
  const invitation = await members.look(token, personId)
  if (!invitation) throw new NotFoundError('invitation', '')
  return invitation
}

/**
 * Lets a person into the chat that an invitation is for. It is used up, unless the person is in the chat already.
 *
 * @returns what the person calls the chat
 * @throws NotFoundError
 */
export async function takeInvitation(
  ports: MembersPorts,
  { person, token }: { person: { id: UserId; name: string }; token: string },
): Promise<{ chatId: ChatId }> {
  const invitation = await lookAtInvitation(ports, { personId: person.id, token })
  if (invitation.calledBefore !== null) return { chatId: invitation.calledBefore }
  if (!(await ports.members.take(token, person.id))) throw new NotFoundError('invitation', '')
  const { id, role } = invitation
  await noteMember(ports, invitation, planMemberAdded({ id, name: person.name }, role))
  return { chatId: id }
}

/** The chats of others that a person is a member of, the last changed first. */
export const listSharedChats = (
  { members }: Pick<MembersPorts, 'members'>,
  { personId }: { personId: UserId },
): Promise<SharedChat[]> => members.chatsOf(personId)

/**
 * Copies a chat of someone else into one of the member's own, as a link to its graph would.
 *
 * @throws NotFoundError also for a chat of the person's own
 */
export async function copyAsMember(
  ports: JoiningPorts,
  { personId, chatId: called }: { personId: UserId; chatId: ChatId },
): Promise<{ chatId: ChatId }> {
  const membership = await ports.reads.membership(called, personId)
  const opened = membership && (await ports.members.opened(membership.id, personId))
  if (!opened) throw new NotFoundError('chat', called)
  return copyShown(ports, personId, opened)
}
