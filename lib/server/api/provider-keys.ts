import 'server-only'
import { z } from 'zod'
import { LONGEST_SILENCE, ownProviders, type ProviderName, testKey } from '@/lib/ai'
import { UnauthenticatedError } from '@/lib/auth'
import { NotFoundError } from '@/lib/context'
import { isPlainAddress, named } from '@/lib/protocol/fields'
import { type ProviderKey, providerKey } from '@/lib/protocol/models'
import { audit } from '@/lib/runtime'
import { clientAddress } from '@/lib/runtime/front/request-origin'
import type { ProviderKeyInfo } from '@/lib/store'
import { checkKeyTests } from '../http/admit'
import { RequestRefusedError } from '../http/problem'
import { defineOperation } from './operation'

const ofProvider = z.object({
  provider: z.string().meta({
    description: `One of ${ownProviders.map(({ name }) => `\`${name}\``).join(', ')}`,
  }),
})

const key = z
  .string()
  .trim()
  .max(500)
  .regex(/^[\x21-\x7e]*$/, 'A key has letters, digits and signs, without spaces')

const baseUrl = z
  .string()
  .trim()
  .max(500)
  .refine(isPlainAddress, 'An address like https://models.example.org/v1')
  .transform((url) => url.replace(/\/+$/, ''))

const saveRequest = named(
  'SaveProviderKeyRequest',
  z.strictObject({
    key: key.meta({ description: 'The key. An OpenAI-compatible server may need none: ""' }),
    base_url: baseUrl.optional().meta({
      description: 'Where the server is; for `openai-compatible`, and only there',
    }),
    silence_ms: z.int().min(1000).max(LONGEST_SILENCE).nullish().meta({
      description:
        'How long the server may send nothing before a reply fails, in ms; for `openai-compatible`, and only there. Without it, the time of this server: `RAMIFY_MODEL_SILENCE_MS`',
    }),
  }),
)

const example: ProviderKey = {
  provider: 'openai',
  hint: 'x4Qe',
  base_url: null,
  silence_ms: null,
  saved_at: '2026-03-14T09:26:53.589Z',
  readable: true,
}

const unfit = {
  key_refused: 'OpenAI refused this key. Check that it is complete and active.',
  provider_unreachable: 'OpenAI could not be reached.',
  provider_answer: 'OpenAI answered with an error (500). Try again later.',
  address_refused: 'This server reaches providers at public https addresses only.',
}

const unreadable = 'This key can no longer be read, because the server’s secret has changed. Save it again.'

/** A key as the browser gets it. */
export const encodeProviderKey = ({
  provider,
  hint,
  baseUrl: base_url,
  silenceMs: silence_ms,
  savedAt,
  isReadable,
}: ProviderKeyInfo): ProviderKey => ({
  provider,
  hint,
  base_url,
  silence_ms,
  readable: isReadable,
  saved_at: new Date(savedAt).toISOString(),
})

/** The provider of an address. Rejects with `NotFoundError` for an unknown name. */
function providerOf({ provider }: { provider: string }): ProviderName {
  const known = ownProviders.find(({ name }) => name === provider)
  if (!known) throw new NotFoundError('key', provider)
  return known.name
}

export const listProviderKeys = defineOperation({
  id: 'listProviderKeys',
  method: 'get',
  path: '/api/provider-keys',
  tag: 'Models',
  summary: 'List provider keys',
  output: {
    description: 'Your keys for model providers, without the keys themselves: they are never shown again.',
    schema: named('ProviderKeyList', z.object({ keys: z.array(providerKey) })),
    example: { keys: [example] },
  },
  use: async ({ ownerId, services }) => ({
    keys: (await services.providerKeys.list(ownerId)).map(encodeProviderKey),
  }),
})

export const saveProviderKey = defineOperation({
  id: 'saveProviderKey',
  method: 'put',
  path: '/api/provider-keys/{provider}',
  tag: 'Models',
  asks: 'session',
  names: 'Key',
  summary: 'Save provider key',
  unfit,
  description:
    'Asks the provider for its models with the key, and saves the key if it is accepted, in place of the one there was. Replies in your chats are asked for with it. The key is encrypted for you and this provider. Where the request ends before, nothing is saved. At most ten keys are tested a minute. An API key cannot do it: it would decide where your prompts go. The keys of a guest end when the guest signs in to an account.',
  input: { params: ofProvider, body: saveRequest },
  example: { key: 'sk-your-key' },
  output: { description: 'The key is saved.', schema: providerKey, example },
  async use({ request, viewer, ownerId, params, body, services }) {
    const provider = providerOf(params)
    const isCompatible = provider === 'openai-compatible'
    if (isCompatible !== (body.base_url !== undefined)) {
      const detail = isCompatible
        ? 'base_url: An OpenAI-compatible server needs its address.'
        : 'base_url: Only an OpenAI-compatible server has an address.'
      throw new RequestRefusedError(400, 'invalid', detail)
    }
    if (!isCompatible && body.silence_ms)
      throw new RequestRefusedError(
        400,
        'invalid',
        'silence_ms: Only an OpenAI-compatible server has a time.',
      )
    if (!isCompatible && body.key === '')
      throw new RequestRefusedError(400, 'invalid', 'key: The key is empty.')
    checkKeyTests(ownerId, services.env.RAMIFY_RATE_LIMIT)
    const given = { provider, key: body.key, baseUrl: body.base_url ?? null }
    const models = await testKey(given, services.models.catalogue.ownFetch, request.signal)
    // the form was cancelled, or its page closed
    if (request.signal.aborted)
      throw new RequestRefusedError(408, 'request_ended', 'The request ended before the key was saved.')
    const silenceMs = body.silence_ms ?? null
    const saved = await services.providerKeys.save(ownerId, { ...given, models, silenceMs })
    // the account was deleted meanwhile
    if (!saved) throw new UnauthenticatedError(viewer.credential.kind)
    audit('provider_key_saved', { person: ownerId, provider, address: clientAddress(request) })
    return encodeProviderKey(saved)
  },
})

export const testProviderKey = defineOperation({
  id: 'testProviderKey',
  method: 'post',
  path: '/api/provider-keys/{provider}/test',
  tag: 'Models',
  asks: 'session',
  names: 'Key',
  summary: 'Test provider key',
  unfit: { ...unfit, key_unreadable: unreadable },
  description:
    'Asks the provider for its models with your saved key. Nothing is changed. It needs a session.',
  input: { params: ofProvider },
  output: {
    description: 'The provider accepts the key, and lists so many models that can chat.',
    schema: named('ProviderKeyTest', z.object({ provider: z.string(), models: z.int() })),
    example: { provider: 'openai', models: 42 },
  },
  async use({ request, ownerId, params, services }) {
    const provider = providerOf(params)
    const stored = (await services.providerKeys.of(ownerId)).find((saved) => saved.provider === provider)
    if (!stored) throw new NotFoundError('key', provider)
    if (stored.key === undefined) {
      throw new RequestRefusedError(422, 'key_unreadable', unreadable)
    }
    checkKeyTests(ownerId, services.env.RAMIFY_RATE_LIMIT)
    const { key: opened, baseUrl: address } = stored
    const models = await testKey(
      { provider, key: opened, baseUrl: address },
      services.models.catalogue.ownFetch,
      request.signal,
    )
    return { provider, models: models.length }
  },
})

export const removeProviderKey = defineOperation({
  id: 'removeProviderKey',
  method: 'delete',
  path: '/api/provider-keys/{provider}',
  tag: 'Models',
  asks: 'session',
  names: 'Key',
  summary: 'Remove provider key',
  description: 'It needs a session.',
  input: { params: ofProvider },
  output: { status: 204, description: 'The key is deleted. No reply is asked for with it any more.' },
  async use({ request, ownerId, params, services }) {
    const provider = providerOf(params)
    await services.providerKeys.remove(ownerId, provider)
    audit('provider_key_removed', { person: ownerId, provider, address: clientAddress(request) })
    return undefined
  },
})
