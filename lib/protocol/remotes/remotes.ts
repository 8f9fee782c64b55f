import { z } from 'zod'
import { instant, isPlainAddress, named } from '../fields'

/** The version of packs and updates that this server speaks. Servers of two versions exchange nothing. */
export const EXCHANGE_VERSION = 1

/** The name of a remote, as Git would take it; its branches are shown as `name/branch`. */
export const remoteName = z
  .string()
  .trim()
  .regex(
    /^(?!.*\.\.)(?!.*\.lock$)[A-Za-z0-9](?:[A-Za-z0-9._-]{0,30}[A-Za-z0-9_-])?$/,
    'A name has up to 32 letters, digits, hyphens, dots and underscores, and begins with a letter or a digit',
  )
  .meta({ description: 'What its branches begin with: `work/main`', examples: ['work'] })

/** Another server, without its key. */
const remote = named(
  'Remote',
  z.object({
    name: remoteName,
    url: z.string().meta({ examples: ['https://ramify.example.org'] }),
    has_key: z.boolean(),
    readable: z.boolean().meta({
      description: 'False when the server’s secret has changed since: it has to be added again',
    }),
    created_at: instant,
  }),
)

export type Remote = z.infer<typeof remote>

export const remoteList = named('RemoteList', z.object({ remotes: z.array(remote) }))

/** A remote that was just added, and what its key may do there. */
export const addedRemote = named(
  'AddedRemote',
  remote.extend({
    writes: z.boolean().meta({ description: 'Whether its key may write: without it a push is refused' }),
  }),
)

export type AddedRemote = z.infer<typeof addedRemote>

const url = z.string().trim().max(500).refine(isPlainAddress, 'An address like https://ramify.example.org')

export const newRemote = named(
  'AddRemoteRequest',
  z.strictObject({
    name: remoteName,
    url: url.meta({ description: 'Where the other server is opened in a browser' }),
    key: z
      .string()
      .trim()
      .max(4000)
      .regex(/^[\x21-\x7e]*$/, 'A key has letters, digits and signs, without spaces')
      .optional()
      .meta({
        description: 'An API key of the other server. It is encrypted, and never shown again',
        examples: ['rk_4fZ8qXn0v3Yw1kQm7sTbJc2LhRg5uPaE9iOdNfKzMxA'],
      }),
  }),
)

/** The answer of a server that is asked whether it exchanges chats. */
export const exchangeAbout = named(
  'ExchangeAbout',
  z.object({
    server: z.literal('ramify'),
    exchange: z.int().meta({ description: 'The version of packs that it speaks' }),
    writes: z.boolean().meta({ description: 'Whether the credential of the request may write' }),
  }),
)

const exchangedBranch = z.object({
  name: z.string().meta({ description: 'Of the branch, on both sides', examples: ['main'] }),
  state: z.enum(['equal', 'ahead', 'behind', 'diverged', 'only_here', 'only_there']),
  head_message_id: z.string().nullable().meta({ description: 'Here' }),
  remote_head_message_id: z.string().nullable().meta({ description: 'There, at the last exchange' }),
  ahead: z.int().meta({ description: 'Messages that the remote lacks' }),
  behind: z.int().meta({ description: 'Messages of the remote that the branch here lacks' }),
})

/** The standings of a chat's branches to those of a remote, as of the last exchange. */
export const remoteState = named(
  'RemoteState',
  z.object({ chat_id: z.string(), remote: remoteName, branches: z.array(exchangedBranch) }),
)

export type RemoteState = z.infer<typeof remoteState>

/** The end of a fetch, a pull, a push or a clone. */
export const exchanged = named(
  'Exchanged',
  remoteState.extend({
    received: z.int().meta({ description: 'Messages that were received' }),
    moved: z
      .array(z.string())
      .meta({ description: 'Branches that were moved on, or opened: here, or by a push there' }),
    diverged: z
      .array(
        z.object({
          name: z.string(),
          source_thread_id: z.string().meta({ description: 'The thread here that has the remote’s side' }),
          source: z.string().meta({ description: 'Its name', examples: ['work/main'] }),
          target_thread_id: z.string(),
        }),
      )
      .meta({ description: 'Branches that both sides have gone on with: merge the source into the target' }),
    advice: z.string().nullable().meta({ description: 'What to do next, where something is left to do' }),
  }),
)

export type Exchanged = z.infer<typeof exchanged>

export type ExchangeVerb = 'fetch' | 'pull' | 'push' | 'clone'
