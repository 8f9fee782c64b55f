import { z } from 'zod'
import { instant, named } from './fields'

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
export const remote = named(
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

const url = z.string().trim().max(500).refine(isServerUrl, 'An address like https://ramify.example.org')

function isServerUrl(text: string): boolean {
  if (!URL.canParse(text)) return false
  const { protocol, username, password, hash, search } = new URL(text)
  return /^https?:$/.test(protocol) && `${username}${password}${hash}${search}` === ''
}

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
        examples: ['rk_…'],
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

const movedBranch = named(
  'ExchangedBranch',
  z.object({
    name: z.string().meta({ description: 'Of the branch, on both sides', examples: ['main'] }),
    outcome: z.enum(['new', 'moved', 'up_to_date', 'ahead', 'diverged']).meta({
      description:
        '`ahead`: this side has messages that the remote lacks, and a pull brings nothing; `diverged`: each side has gone on',
    }),
    head_message_id: z.string().nullable().meta({ description: 'On the remote, after it' }),
    ahead: z.int().meta({ description: 'Messages that the remote lacks' }),
    behind: z.int().meta({ description: 'Messages of the remote that the branch here lacks' }),
    merge_thread_id: z
      .string()
      .optional()
      .meta({ description: 'Of diverged branches: the thread here that has the remote’s side, to be merged' }),
  }),
)

export type ExchangedBranch = z.infer<typeof movedBranch>

/** The end of a fetch, a pull, a push or a clone. */
export const exchanged = named(
  'Exchanged',
  z.object({
    chat_id: z.string(),
    remote: remoteName,
    messages: z.int().meta({ description: 'Messages that were received, or sent' }),
    branches: z.array(movedBranch),
    advice: z.string().nullable().meta({
      description: 'What to do, where branches have diverged or nothing could be moved',
    }),
  }),
)

export type Exchanged = z.infer<typeof exchanged>

export const exchangeVerbs = ['fetch', 'pull', 'push', 'clone'] as const

export type ExchangeVerb = (typeof exchangeVerbs)[number]

/** How a chat stands to the person's remotes, as of the last exchange: no server is asked. */
export const chatRemotes = named(
  'ChatRemotes',
  z.object({
    chat_id: z.string(),
    remotes: z.array(
      z.object({
        name: remoteName,
        branches: z.array(
          z.object({
            name: z.string().meta({ description: 'Of the branch there', examples: ['main'] }),
            thread_id: z
              .string()
              .nullable()
              .meta({ description: 'The thread here of the same name; null where there is none' }),
            head_message_id: z.string().nullable(),
            ahead: z.int(),
            behind: z.int(),
          }),
        ),
      }),
    ),
  }),
)

export type ChatRemotes = z.infer<typeof chatRemotes>
