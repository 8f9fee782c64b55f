import type { AgentProtocol } from './agent-call'
import { CallRefusedError } from './protocols/protocol'
import { fieldsOf, listOf, textOf } from './protocols/shared/values'

/** The fields that decide a reply and are paid by its tokens. */
const common = [
  ...['model', 'stream', 'stream_options', 'temperature', 'top_p', 'top_k', 'tools', 'tool_choice'],
  ...['parallel_tool_calls', 'metadata', 'user', 'safety_identifier', 'prompt_cache_key'],
  ...['prompt_cache_retention', 'service_tier', 'store', 'background', 'reasoning'],
]

/** The fields that a call may have on a key that many people share, by protocol. */
const allowed: Readonly<Record<AgentProtocol, ReadonlySet<string>>> = {
  'chat-completions': new Set([
    ...common,
    ...['messages', 'n', 'max_tokens', 'max_completion_tokens', 'stop', 'seed', 'logit_bias', 'logprobs'],
    ...['top_logprobs', 'presence_penalty', 'frequency_penalty', 'repetition_penalty', 'min_p'],
    ...['response_format', 'functions', 'function_call', 'reasoning_effort', 'verbosity', 'modalities'],
    ...['prediction', 'thinking', 'enable_thinking', 'chat_template_kwargs', 'usage'],
  ]),
  responses: new Set([
    ...common,
    ...['input', 'instructions', 'include', 'max_output_tokens', 'max_tool_calls', 'text', 'truncation'],
    ...['top_logprobs', 'previous_response_id', 'client_metadata', 'context_management'],
  ]),
  messages: new Set([
    ...common,
    ...['messages', 'system', 'max_tokens', 'stop_sequences', 'thinking', 'context_management'],
    ...['output_config', 'output_format', 'cache_control'],
  ]),
}

/** Fields that would keep or queue something in the account of the key, or cost more: only these values. */
const values: Readonly<Record<string, readonly unknown[]>> = {
  store: [false],
  background: [false],
  service_tier: ['auto', 'default', 'standard_only'],
}

/** Tools that the agent carries out itself; tools of a provider read its account, or cost by the call. */
const ownTools =
  /^(?:function|custom|local_shell|shell|apply_patch|(?:bash|text_editor|memory|computer)_\d{8})$/

/** Names of things in the account of the key: files, stores of vectors, containers, items that it keeps. */
const kept = new Set(['file_id', 'file_ids', 'vector_store_ids', 'container', 'container_id'])

/**
 * Refuses a call on a key of the server when it asks for more than tokens: data that would be kept in the account of
 * the key or read from it, or work paid in another way. A person's own key reaches all of it.
 *
 * @param body of the request, as it came
 * @throws CallRefusedError names the field
 */
export function checkSharedKey(protocol: AgentProtocol, body: Readonly<Record<string, unknown>>): void {
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined || value === null) continue
    if (!allowed[protocol].has(name) || values[name]?.includes(value) === false) throw refusal(name)
  }
  for (const [at, tool] of listOf(body.tools).entries()) {
    const type = textOf(fieldsOf(tool).type) ?? 'function'
    if (!ownTools.test(type)) throw refusal(`tools.${at}.type`)
  }
  const messages = protocol === 'responses' ? 'input' : 'messages'
  for (const [at, message] of listOf(body[messages]).entries()) checkKept(message, `${messages}.${at}`)
}

/** The content of messages, and no further: a tool's input and output may have any names. */
function checkKept(value: unknown, where: string): void {
  const { type, content, source, file } = fieldsOf(value)
  if (type === 'item_reference') throw refusal(`${where}.type`)
  for (const held of [value, source, file])
    for (const name of Object.keys(fieldsOf(held))) if (kept.has(name)) throw refusal(`${where}.${name}`)
  for (const [at, part] of listOf(content).entries()) checkKept(part, `${where}.content.${at}`)
}

/** Tells whether an item names what lies in the account of a key. */
export function readsAccount(item: unknown): boolean {
  try {
    checkKept(item, '')
    return false
  } catch (error) {
    if (error instanceof CallRefusedError) return true
    throw error
  }
}

const refusal = (field: string) =>
  new CallRefusedError(
    `${field}: this model is asked with a key of the server, which many people share. It takes only what decides a reply and is paid by its tokens. Leave the field out, or add a key of your own in the settings, under Models.`,
    field,
  )
