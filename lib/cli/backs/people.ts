import { count, desc, eq, isNull, max } from 'drizzle-orm'
import { type Database, schema } from '@/lib/db'
import { newId } from '@/lib/events'
import { counted, localTime, plain } from '../draw/plain'
import { CommandError } from '../errors'

/** People that a refusal lists. */
const LISTED = 10

const { user, chats } = schema

/**
 * The person whose chats a command on a database uses: the named one, else the only one with chats. Without
 * any person yet, it makes one.
 *
 * @param named an e-mail address or an id
 * @throws CommandError for an unknown name, or when several people have chats: the message lists them
 */
export async function findPerson(
  { orm }: Pick<Database, 'orm'>,
  named: string | undefined,
): Promise<{ id: string }> {
  const people = await orm
    .select({
      id: user.id,
      email: user.email,
      isGuest: user.isAnonymous,
      chats: count(chats.id),
      writtenAt: max(chats.updatedAt),
    })
    .from(user)
    .leftJoin(chats, eq(chats.userId, user.id))
    .where(isNull(user.goneAt))
    .groupBy(user.id)
    .orderBy(desc(max(chats.updatedAt)), desc(user.createdAt))
  if (named !== undefined) {
    const person = people.find(({ id, email }) => id === named || email === named)
    if (!person) throw new CommandError(`There is no person “${plain(named)}” here. ${listOf(people)}`)
    return person
  }
  const writing = people.filter((person) => person.chats > 0)
  const [only, ...others] = writing.length > 0 ? writing : people.slice(0, 1)
  if (others.length > 0) {
    throw new CommandError(
      `${writing.length} people have chats here: say whose are meant with --as. ${listOf(writing)}`,
    )
  }
  return only ?? (await addPerson(orm))
}

type Person = { id: string; email: string; isGuest: boolean; chats: number; writtenAt: Date | number | null }

function listOf(people: readonly Person[]): string {
  if (people.length === 0) return 'There is none yet.'
  const lines = people.slice(0, LISTED).map(({ id, email, isGuest, chats: written, writtenAt }) => {
    const last =
      writtenAt === null ? '' : `, the last written to at ${localTime(new Date(writtenAt).getTime())}`
    return `\n  ${isGuest ? `${id} (a guest)` : plain(email)}: ${counted(written, 'chat')}${last}`
  })
  const more = people.length > LISTED ? `\n  and ${counted(people.length - LISTED, 'other')}` : ''
  return `There are:${lines.join('')}${more}`
}

async function addPerson(orm: Database['orm']): Promise<{ id: string }> {
  const id = newId()
  await orm.insert(user).values({ id, name: 'Command line', email: `${id}@users.invalid` })
  return { id }
}
