import { APICallError } from '@ai-sdk/provider'

/** The form in which a model takes a prompt. */
export interface Takes {
  /**
   * Thoughts of earlier replies: none; thoughts signed or sealed by the model itself, while it calls tools; or the
   * thoughts of all turns in which tools were called, which must not be missing there.
   */
  readonly thoughts: 'none' | 'signed' | 'with-calls'
  /** the name under which the provider's own data stands beside a part */
  readonly signedBy?: string
  /** there is a place for instructions besides the messages */
  readonly system: boolean
  /** a conversation may begin with a reply */
  readonly replyFirst: boolean
  /** a person may speak right after the result of a tool */
  readonly speechAfterTools: boolean
  /** replies may hold files */
  readonly filesInReplies: boolean
  /** thoughts go back in details, as they came: `reasoning_details` */
  readonly details: boolean
  readonly callIds: RegExp
  /**
   * A cut reply that ends the prompt is gone on with: as it is, or with a field of its message that says so. `none`: a request
   * of the person's follows it.
   */
  readonly prefill: 'none' | 'plain' | 'prefix' | 'partial'
}

/** An id that no provider refuses for its letters; ids of Chat Completions have at most 40. */
const plainId = /^[a-zA-Z0-9_-]{1,40}$/

const most: Takes = {
  thoughts: 'none',
  system: true,
  replyFirst: false,
  speechAfterTools: true,
  filesInReplies: false,
  details: false,
  // some models count their calls in the id: `functions.search:0`
  callIds: /^.{1,40}$/s,
  prefill: 'none',
}

const native: Readonly<Record<string, Partial<Takes>>> = {
  openai: { thoughts: 'signed', signedBy: 'openai', replyFirst: true, callIds: /^.{1,64}$/s },
  anthropic: { thoughts: 'signed', signedBy: 'anthropic', callIds: /^[a-zA-Z0-9_-]{1,64}$/ },
  google: { thoughts: 'signed', signedBy: 'google', filesInReplies: true },
}

/** Providers that pass on to others, in Chat Completions. */
const between: Readonly<Record<string, Partial<Takes>>> = {
  openrouter: { details: true },
  gateway: { details: true },
}

/** Families of models that take less, or something else, wherever they run; by the name of a model or a host. */
const families: readonly (readonly [name: RegExp, takes: Partial<Takes>])[] = [
  [/claude/, { callIds: plainId }],
  [
    /mistral|mixtral|ministral|magistral|codestral|devstral|pixtral|voxtral/,
    { callIds: /^[a-zA-Z0-9]{9}$/, speechAfterTools: false },
  ],
  // https://api-docs.deepseek.com/guides/thinking_mode, and Moonshot’s guide to its thinking models
  [/deepseek|kimi|moonshot/, { thoughts: 'with-calls' }],
  // their templates raise an error on a system message
  [
    /gemma-?(?:[1-3](?!\d)|7b)|gemma(?!-?\d)|mistral-7b-instruct-v0\.[12]|mixtral-8x\d+b-instruct-v0\.1|o1-(?:mini|preview)/,
    { system: false },
  ],
]

/**
 * Models that go on with a reply that ends the prompt, by provider, name and address; the first that fits counts. Servers of
 * unknown make are left out: vLLM begins a new reply, unless a field says otherwise that others refuse.
 */
const prefills: readonly (readonly [asked: RegExp, prefill: Takes['prefill']])[] = [
  // Harmony begins a reply with its channels, which the text lacks
  [/gpt-oss/, 'none'],
  // https://platform.claude.com/docs/en/about-claude/models/migration-guide: from 4.6 on they refuse it
  [/^(?:anthropic|openrouter) .*claude-(?:instant|[23]\b|(?:opus|sonnet|haiku)-4(?![-.][6-9]\b))/, 'plain'],
  // the later ones refuse requests that end with a model turn
  [/^google gemini-(?:[12]\.|3-|3\.1-|3\.5-flash(?!-lite))/, 'plain'],
  // https://console.groq.com/docs/prefilling, https://github.com/ollama/ollama/issues/6778
  [/^(?:groq|ollama) /, 'plain'],
  // https://docs.mistral.ai/api, https://api-docs.deepseek.com/guides/chat_prefix_completion
  [/ https:\/\/api\.(?:mistral\.ai|deepseek\.com\/beta)\b/, 'prefix'],
  // partial mode of Moonshot and of Alibaba’s Model Studio
  [/ https:\/\/(?:api\.moonshot\.(?:ai|cn)|dashscope(?:-\w+)?\.aliyuncs\.com)\b/, 'partial'],
]

/** Refusals of providers, and the form that the model takes then. Each is tried once. */
const refusals: readonly (readonly [says: RegExp, takes: Partial<Takes>])[] = [
  [
    /prefill|end(?:s|ing)? with an? (?:user|model|assistant)|final .?assistant.? message|last role user|\b(?:prefix|partial)\b/i,
    { prefill: 'none' },
  ],
  [
    /(?:reasoning_content|thinking)[^.]{0,80}(?:must be passed|is missing|is required)/i,
    { thoughts: 'with-calls' },
  ],
  [/reasoning|thinking|signature|encrypted content|item with id/i, { thoughts: 'none' }],
  [
    /(?:system|developer)[\w ]{0,20}(?:role|message|prompt|instruction)?s?\b[^.]{0,40}(?:not (?:supported|allowed|enabled|permitted)|unsupported)|only user[,\w ]{0,40}roles|got system|unexpected role:? .?system/i,
    { system: false },
  ],
  [/tool.?call.?id|tool_use(?:\.id|_id)|a-zA-Z0-9/i, { callIds: /^[a-zA-Z0-9]{9}$/ }],
  [/unexpected role .?user.? after role .?tool/i, { speechAfterTools: false }],
  // some templates count a system message as a turn
  [/must alternate/i, { speechAfterTools: false, system: false }],
]

/** Lessons from refusals, by model and address, the latest last. */
const learned = new Map<string, Partial<Takes>>()
const MOST_LEARNED = 1000

/** A model as it is asked: its provider by the name that ids begin with, its name there, and its address where it has one. */
export interface Receiver {
  readonly provider: string
  readonly model: string
  readonly address?: string | undefined
}

const keyOf = ({ provider, model, address = '' }: Receiver): string => `${provider} ${model} ${address}`

/**
 * Finds the form that a model takes: by its provider, by its name, and by the forms it has refused since this process
 * began.
 */
export function takesOf(receiver: Receiver): Takes {
  const { provider, model, address = '' } = receiver
  const own = native[provider]
  const host = URL.canParse(address) ? new URL(address).host : ''
  const named = `${model} ${host}`.toLowerCase()
  const family = own ? [] : families.filter(([name]) => name.test(named)).map(([, takes]) => takes)
  const added = learned.get(keyOf(receiver))
  const asked = `${provider} ${model} ${address}`.toLowerCase()
  const [, prefill = most.prefill] = prefills.find(([fits]) => fits.test(asked)) ?? []
  const takes: Takes = { ...most, prefill }
  for (const less of [own ?? between[provider], ...family, added]) Object.assign(takes, less)
  return takes
}

/**
 * Learns from a refusal in which form a model takes prompts. Answers true for anything new: the prompt may then be sent
 * again.
 */
export function learnFrom(receiver: Receiver, error: unknown): boolean {
  if (!APICallError.isInstance(error) || (error.statusCode ?? 0) < 400 || error.statusCode === 429)
    return false
  const said = `${error.message} ${error.responseBody ?? ''}`
  const takes = takesOf(receiver)
  for (const [says, less] of refusals) {
    if (!says.test(said) || isKnown(takes, less)) continue
    const key = keyOf(receiver)
    const known = learned.get(key)
    learned.delete(key)
    learned.set(key, { ...known, ...less })
    const [oldest] = learned.keys()
    if (learned.size > MOST_LEARNED && oldest !== undefined) learned.delete(oldest)
    return true
  }
  return false
}

const isKnown = (takes: Takes, less: Partial<Takes>): boolean =>
  Object.entries(less).every(([field, value]) => String(takes[field as keyof Takes]) === String(value))
