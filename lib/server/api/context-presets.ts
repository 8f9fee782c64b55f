import 'server-only'
import { z } from 'zod'
import { UnauthenticatedError } from '@/lib/auth'
import { newId } from '@/lib/events'
import { type ContextPreset, contextPreset, presetContent, presetName } from '@/lib/protocol/context'
import { named } from '@/lib/protocol/fields'
import { RequestRefusedError } from '../http/problem'
import { defineOperation } from './operation'

const ofPreset = z.object({ id: z.string().meta({ description: 'The preset' }) })

const example: ContextPreset = {
  id: '019d3c25-3e6f-7d20-a6b4-2b1c8f5e9d44',
  name: 'Travel agent',
  content: {
    fragments: [{ id: 'f1', name: 'role', data: 'You are a travel agent.', enabled: true }],
    settings: { temperature: 0.4 },
  },
  created_at: '2026-03-14T09:26:53.589Z',
  updated_at: '2026-03-14T09:26:53.589Z',
}
const given = { name: example.name, content: example.content }

/** A context of hundreds of fragments has thousands of values. */
const limits = { values: 20_000 }

const refusals = {
  too_many_presets: 'There are too many presets. Delete one you do not need.',
  presets_too_large: 'Your presets are too large together. Delete one you do not need.',
}

type Presets = NonNullable<Awaited<ReturnType<Call['services']['contextPresets']['create']>>>
type Call = Parameters<Parameters<typeof defineOperation>[0]['use']>[0]

/** A preset as the browser gets it; a limit that was met becomes its refusal. */
function encoded(saved: Presets): ContextPreset {
  if (saved.preset) return toPreset(saved.preset)
  const code = saved.limit === 'presets' ? 'too_many_presets' : 'presets_too_large'
  throw new RequestRefusedError(409, code, refusals[code], { limit: saved.limit, used: saved.used })
}

const toPreset = ({ createdAt, updatedAt, ...preset }: NonNullable<Presets['preset']>): ContextPreset => ({
  ...preset,
  created_at: new Date(createdAt).toISOString(),
  updated_at: new Date(updatedAt).toISOString(),
})

export const listPresets = defineOperation({
  id: 'listPresets',
  method: 'get',
  path: '/api/context-presets',
  tag: 'Chats',
  summary: 'List context presets',
  output: {
    description: 'Contexts that you have saved under a name, by name.',
    schema: named('ContextPresetList', z.object({ presets: z.array(contextPreset) })),
    example: { presets: [example] },
  },
  use: async ({ ownerId, services }) => ({
    presets: (await services.contextPresets.list(ownerId)).map(toPreset),
  }),
})

export const createPreset = defineOperation({
  id: 'createPreset',
  method: 'post',
  path: '/api/context-presets',
  tag: 'Chats',
  summary: 'Create context preset',
  description:
    'Saves fragments, format, settings and tools under a name. They become a context where you apply them: `PUT /api/chats/{id}/context`. At most 100, and together 4,000,000 characters.',
  input: {
    body: named('CreateContextPresetRequest', z.strictObject({ name: presetName, content: presetContent })),
  },
  example: given,
  limits,
  refusals,
  output: { status: 201, description: 'The preset.', schema: contextPreset, example },
  async use({ viewer, ownerId, services, body }) {
    const saved = await services.contextPresets.create(ownerId, { id: newId(), ...body })
    // the account was deleted meanwhile
    if (!saved) throw new UnauthenticatedError(viewer.credential.kind)
    return encoded(saved)
  },
})

export const changePreset = defineOperation({
  id: 'changePreset',
  method: 'put',
  path: '/api/context-presets/{id}',
  tag: 'Chats',
  names: 'Preset',
  summary: 'Change context preset',
  description: 'Another name, another content, or both. A part that is left out stays as it is.',
  input: {
    params: ofPreset,
    body: named(
      'ChangeContextPresetRequest',
      z.strictObject({ name: presetName.optional(), content: presetContent.optional() }),
    ),
  },
  example: { name: 'Guide' },
  limits,
  refusals: { presets_too_large: refusals.presets_too_large },
  output: { description: 'The preset from now on.', schema: contextPreset, example },
  use: async ({ ownerId, services, params, body }) =>
    encoded(await services.contextPresets.change(ownerId, params.id, body)),
})

export const removePreset = defineOperation({
  id: 'removePreset',
  method: 'delete',
  path: '/api/context-presets/{id}',
  tag: 'Chats',
  names: 'Preset',
  summary: 'Remove context preset',
  description: 'Contexts that were made with it stay as they are.',
  input: { params: ofPreset },
  output: { status: 204, description: 'The preset is deleted.' },
  async use({ ownerId, services, params }) {
    await services.contextPresets.remove(ownerId, params.id)
    return undefined
  },
})
