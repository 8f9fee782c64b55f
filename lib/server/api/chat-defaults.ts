import 'server-only'
import { UnauthenticatedError } from '@/lib/auth'
import { type ChatDefaults, chatDefaults, chatDefaultsChange } from '@/lib/protocol/context'
import { RequestRefusedError } from '../http/problem'
import { defineOperation } from './operation'

const example: ChatDefaults = {
  instructions: 'Answer in British English.',
  model: 'openai:gpt-6-luna',
  tools: { current_time: 'always' },
}

/** A person's defaults for new chats, as the person sees them. */
export const shownDefaults = (stored: ChatDefaults | undefined): ChatDefaults =>
  stored ?? { instructions: '', model: null, tools: {} }

export const readChatDefaults = defineOperation({
  id: 'readChatDefaults',
  method: 'get',
  path: '/api/chat-defaults',
  tag: 'Chats',
  summary: 'Read defaults of new chats',
  output: { description: 'What your new chats begin with.', schema: chatDefaults, example },
  use: async ({ ownerId, services }) => shownDefaults(await services.chatDefaults.of(ownerId)),
})

export const changeChatDefaults = defineOperation({
  id: 'changeChatDefaults',
  method: 'put',
  path: '/api/chat-defaults',
  tag: 'Chats',
  summary: 'Change defaults of new chats',
  description:
    'What your new chats begin with: instructions, model and tools. Chats that there are stay as they are, and an agent at `/v1` keeps its own instructions. A model that is not offered any more counts as none.',
  input: { body: chatDefaultsChange },
  example: { instructions: example.instructions },
  output: { description: 'What your new chats begin with from now on.', schema: chatDefaults, example },
  async use({ viewer, ownerId, services, body }) {
    const { model } = body
    if (typeof model === 'string' && !(await services.models.of(ownerId)).has(model)) {
      throw new RequestRefusedError(400, 'unknown_model', `The model "${model}" is not available here.`)
    }
    const saved = await services.chatDefaults.change(ownerId, body)
    // the account was deleted meanwhile
    if (!saved) throw new UnauthenticatedError(viewer.credential.kind)
    return saved
  },
})
