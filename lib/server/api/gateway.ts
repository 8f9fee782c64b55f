import 'server-only'
import { z } from 'zod'
import { chatCompletions } from '@/lib/gateway/protocols/chat-completions'
import { messages } from '@/lib/gateway/protocols/messages'
import type { Protocol } from '@/lib/gateway/protocols/protocol'
import { responses } from '@/lib/gateway/protocols/responses'
import { named } from '@/lib/protocol/fields'
import { refuseAddress } from '../gateway/base-url'
import { countTokens } from '../gateway/count-tokens'
import { listForAgent, modelForAgent } from '../gateway/list-models'
import { takeCall } from '../gateway/take-call'
import type { Description, Operation } from './operation'

const stored =
  'The provider’s answer is passed on byte for byte, and what is new of the conversation is stored: the headers `x-ramify-chat`, `x-ramify-branch` and `x-ramify-message` of the answer say where. A request that sends them is placed there. Errors have the form of the protocol.'

const pins = z.object({
  'x-ramify-chat': z.string().optional().meta({ description: 'The chat that the call belongs to' }),
  'x-ramify-branch': z.string().optional().meta({ description: 'The branch that it goes on, by its id' }),
  'x-ramify-message': z.string().optional().meta({ description: 'The message that it follows' }),
})

const model = z.string().meta({
  description: '`provider:model`, or any name: one that no list has goes to the provider that it belongs to',
})
const stream = z.boolean().optional()
const items = z.array(z.looseObject({}))

interface Address {
  id: string
  path: string
  summary: string
  protocol: Protocol
  body: z.ZodType
  example: object
}

const address = ({ id, path, summary, protocol, body, example }: Address): Operation => ({
  id,
  method: 'post',
  path,
  tag: 'Agents',
  summary,
  description: stored,
  example,
  input: { headers: pins, body },
  output: { description: 'The provider’s answer.', schema: z.looseObject({}) },
  others: [{ description: 'With `stream`, its events.', type: 'text/event-stream' }],
  asks: 'key',
  refusesIn: 'protocol',
  handle: takeCall(protocol),
  refuseMethod: refuseAddress,
})

const said = [{ role: 'user', content: 'Which fish is in season?' }]

/** Chat completions of OpenAI (CONTRACT.md). */
export const completeChat = address({
  id: 'completeChat',
  path: '/v1/chat/completions',
  summary: 'Complete chat (OpenAI)',
  protocol: chatCompletions,
  body: named('ChatCompletionRequest', z.looseObject({ model, messages: items, stream })),
  example: { model: 'demo:demo', messages: said },
})

/** Responses of OpenAI. */
export const createResponse = address({
  id: 'createResponse',
  path: '/v1/responses',
  summary: 'Create response (OpenAI)',
  protocol: responses,
  body: named('ResponseRequest', z.looseObject({ model, input: z.union([z.string(), items]), stream })),
  example: { model: 'demo:demo', input: 'Which fish is in season?' },
})

/** Messages of Anthropic. */
export const createMessage = address({
  id: 'createMessage',
  path: '/v1/messages',
  summary: 'Create message (Anthropic)',
  protocol: messages,
  body: named(
    'MessageRequest',
    z.looseObject({ model, max_tokens: z.int().positive(), messages: items, stream }),
  ),
  example: { model: 'demo:demo', max_tokens: 1000, messages: said },
})

/** Counts the tokens of a message of Anthropic's protocol. */
export const countMessageTokens: Operation = {
  id: 'countMessageTokens',
  method: 'post',
  path: '/v1/messages/count_tokens',
  tag: 'Agents',
  summary: 'Count tokens (Anthropic)',
  description:
    'As the provider of the model counts them; about as many as the texts have where it does not. Nothing is stored.',
  example: { model: 'demo:demo', messages: said },
  input: { body: named('TokenCountRequest', z.looseObject({ model, messages: items })) },
  output: {
    description: 'The tokens of the request.',
    schema: named('TokenCount', z.looseObject({ input_tokens: z.int() })),
  },
  asks: 'key',
  refusesIn: 'protocol',
  handle: countTokens,
  refuseMethod: refuseAddress,
}

const agentModel = named('AgentModel', z.looseObject({ id: z.string() }))

const reads = {
  method: 'get',
  tag: 'Agents',
  asks: 'key',
  refusesIn: 'protocol',
} satisfies Partial<Description>

/** The models, as clients of both protocols read them. */
export const listAgentModels: Operation = {
  ...reads,
  id: 'listAgentModels',
  path: '/v1/models',
  summary: 'List models for agents',
  description:
    'In OpenAI’s form, or with the header `anthropic-version` in Anthropic’s: the models of the lists as `provider:model`, and those that the providers list.',
  output: { description: 'The models.', schema: z.looseObject({ data: z.array(agentModel) }) },
  handle: listForAgent,
  refuseMethod: refuseAddress,
}

export const readAgentModel: Operation = {
  ...reads,
  id: 'readAgentModel',
  path: '/v1/models/{id}',
  summary: 'Read model for agents',
  names: 'Model',
  input: { params: z.object({ id: z.string() }) },
  output: { description: 'The model.', schema: agentModel },
  handle: modelForAgent,
  refuseMethod: refuseAddress,
}
