import 'server-only'
import { z } from 'zod'
import { UnauthenticatedError } from '@/lib/auth'
import {
  addedRemote,
  EXCHANGE_VERSION,
  exchangeAbout,
  newRemote,
  type Remote,
  remoteList,
  remoteName,
} from '@/lib/protocol/remotes/remotes'
import { audit } from '@/lib/runtime'
import { clientAddress, ownOrigin } from '@/lib/runtime/front/request-origin'
import { checkKeyTests } from '../../http/admit'
import { requestEnded } from '../../http/problem'
import { defineOperation } from '../operation'

const example: Remote = {
  name: 'work',
  url: 'https://ramify.example.org',
  has_key: true,
  readable: true,
  created_at: '2026-03-14T09:26:53.589Z',
}

/** The address of one of the person's remotes. */
export const atRemote = z.object({ name: remoteName.meta({ description: 'The remote' }) })

/** The sentence of each thing that another server may be wrong about. */
export const remoteTroubles = {
  remote_unreachable:
    'work cannot be reached at https://ramify.example.org. Is it running, and the address right?',
  remote_answer:
    'work does not answer as Ramify does. Check the address: it is the one at which you open it in a browser (now https://ramify.example.org).',
  remote_older: 'work is an older Ramify, which exchanges no chats yet. Update it, and try again.',
  remote_newer: 'work is a newer Ramify. Update this server, and try again.',
  remote_refused: 'work says: Many of your heavy requests are waiting. Try again in 5 s.',
  remote_lacks: 'work says: Chat not found',
  key_refused:
    'work refused the key: it is wrong, or it has expired or was revoked. Make a new one there, under Settings, API keys, and add work again.',
  address_refused: 'This server reaches other servers at public https addresses only.',
}

export const listRemotes = defineOperation({
  id: 'listRemotes',
  method: 'get',
  path: '/api/remotes',
  tag: 'Remotes',
  summary: 'List remotes',
  output: {
    description: 'Your other servers, by name, without their keys: those are never shown again.',
    schema: remoteList,
    example: { remotes: [example] },
  },
  use: async ({ ownerId, services }) => ({
    remotes: await services.remotes.of(ownerId),
  }),
})

export const addRemote = defineOperation({
  id: 'addRemote',
  method: 'post',
  path: '/api/remotes',
  tag: 'Remotes',
  summary: 'Add remote',
  description:
    'Asks another server whether it is a Ramify server that takes the key, and adds it. The key is encrypted, and sent to that server alone. The remotes of a guest move to the account that the guest signs in to.',
  input: { body: newRemote },
  example: {
    name: 'work',
    url: 'https://ramify.example.org',
    key: 'rk_4fZ8qXn0v3Yw1kQm7sTbJc2LhRg5uPaE9iOdNfKzMxA',
  },
  output: {
    status: 201,
    description: 'The remote is added.',
    schema: addedRemote,
    example: { ...example, writes: true },
  },
  refusals: {
    name_taken: 'You have a remote called work already. Remove it first, or choose another name.',
  },
  unfit: {
    ...remoteTroubles,
    remote_is_this:
      'work would be this server itself. A remote is another server: give its address, and a key that was made there.',
    too_many_remotes: 'You have 20 remotes, which is the most. Remove one first.',
  },
  async use({ request, viewer, ownerId, body: { name, url, key = '' }, services }) {
    const { env, remotes } = services
    checkKeyTests(ownerId, env.RAMIFY_RATE_LIMIT)
    const given = { name, url, key: key === '' ? undefined : key }
    const here = [ownOrigin(request.headers, env.BETTER_AUTH_URL)].filter((origin) => origin !== undefined)
    const added = await remotes
      .add(ownerId, given, { here, signal: request.signal })
      .catch((error: unknown) => {
        // the form was cancelled, or its page closed
        throw request.signal.aborted ? requestEnded() : error
      })
    // the account was deleted meanwhile
    if (!added) throw new UnauthenticatedError(viewer.credential.kind)
    const from = { person: ownerId, address: clientAddress(request) }
    audit('remote_added', { ...from, remote: name, host: new URL(url).host })
    return added
  },
})

export const removeRemote = defineOperation({
  id: 'removeRemote',
  method: 'delete',
  path: '/api/remotes/{name}',
  tag: 'Remotes',
  names: 'Remote',
  summary: 'Remove remote',
  description: 'Nothing changes on the other server, and the chats here stay as they are.',
  input: { params: z.object({ name: z.string().meta({ description: 'The remote' }) }) },
  output: {
    status: 204,
    description: 'The remote is removed, with its key and what was known of its branches.',
  },
  async use({ request, ownerId, params, services }) {
    await services.remotes.remove(ownerId, params.name)
    audit('remote_removed', { person: ownerId, remote: params.name, address: clientAddress(request) })
    return undefined
  },
})

export const aboutExchange = defineOperation({
  id: 'aboutExchange',
  method: 'get',
  path: '/api/exchange',
  tag: 'Remotes',
  summary: 'Ask about exchange',
  description:
    'What another server asks before it adds this one as a remote: whether this is Ramify, whether it takes the key, and which packs it speaks.',
  output: {
    description: 'It exchanges chats.',
    schema: exchangeAbout,
    example: { server: 'ramify', exchange: EXCHANGE_VERSION, writes: true },
  },
  use: async ({ viewer: { credential } }) => ({
    server: 'ramify' as const,
    exchange: EXCHANGE_VERSION,
    writes: credential.kind === 'session' || (credential.scopes?.includes('write') ?? false),
  }),
})
