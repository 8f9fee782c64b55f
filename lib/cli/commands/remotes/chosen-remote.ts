import { plain } from '../../draw/plain'
import { CommandError } from '../../errors'
import type { Session } from '../../session'

/** The word of Git for a remote that is meant when none is named. */
const USUAL = 'origin'

/**
 * The remote that a command means: the named one, else the only one, else `origin`.
 *
 * @throws CommandError when there is none, or several could be meant
 */
export async function chosenRemote(
  { port }: Session,
  verb: string,
  named: string | undefined,
): Promise<string> {
  const remotes = await port.listRemotes()
  const names = remotes.map(({ name }) => name)
  const isMeant = (name: string) => name.toLowerCase() === (named ?? USUAL).toLowerCase()
  const [only, ...others] = names
  if (only === undefined)
    throw new CommandError(
      'There is no remote. Add one: ramify remote add NAME URL --key KEY (a key is made on the other server, under Settings, API keys).',
    )
  const meant = names.find(isMeant)
  if (meant !== undefined) return meant
  const list = names.map(plain).join(', ')
  if (named !== undefined)
    throw new CommandError(
      `“${plain(named)}” is not a remote. There ${others.length > 0 ? 'are' : 'is'}: ${list}. \`ramify remote add NAME URL\` adds one.`,
    )
  if (others.length > 0) throw new CommandError(`Which remote? ramify ${verb} NAME, with one of: ${list}.`)
  return only
}
