import 'server-only'
import { z } from 'zod'
import * as useCases from '@/lib/conversations'
import { named } from '@/lib/protocol/fields'
import { branchName } from './chat-fields'
import { defineOperation } from './operation'

const steeringRequest = named(
  'SteeringRequest',
  z.strictObject({
    branch: branchName.meta({ description: 'The branch that the agent writes on, by name or id' }),
    to: branchName
      .nullable()
      .meta({ description: 'The branch that it is to go on with; null takes the steering back' }),
  }),
)

const steering = named('Steering', z.object({ branch_id: z.string(), to_branch_id: z.string().nullable() }))

const example = { branch: '0b7e…', to: '1c2d…' }

export const steerAgent = defineOperation({
  id: 'steerAgent',
  method: 'put',
  path: '/api/chats/{id}/steering',
  tag: 'Chats',
  names: 'Chat',
  summary: 'Steer an agent',
  description:
    'Has the agent that writes on a branch go on from the end of another one: with its next call that says something new, the model is sent the messages of that branch, a note that the conversation was moved, and what the agent says. An answer of a tool is left out where its call is not the last message there. Calls that name the response they follow, and calls made again, are not moved.',
  input: {
    params: z.object({ id: z.string().meta({ description: 'The chat' }) }),
    body: steeringRequest,
  },
  example,
  output: {
    description: 'Where the agent goes on.',
    schema: steering,
    example: { branch_id: example.branch, to_branch_id: example.to },
  },
  async use({ ports, ownerId, params, body }) {
    const { branchId, targetId } = await useCases.steerAgent(ports, { ownerId, chatId: params.id, ...body })
    return { branch_id: branchId, to_branch_id: targetId }
  },
})
