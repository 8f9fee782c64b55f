/** The name of a provider as model ids begin with it. */
export type ProviderName =
  | 'openai'
  | 'anthropic'
  | 'google'
  | 'groq'
  | 'openrouter'
  | 'gateway'
  | 'openai-compatible'

/** A provider that one environment key switches on, with the models offered while it is on. */
export type KnownProvider = {
  readonly name: Exclude<ProviderName, 'openai-compatible'>
  readonly label: string
  readonly variable: string
  /** base address of its API; the addresses below follow on it */
  readonly baseUrl: string
  /** lists its models */
  readonly list: string
  /** refuses a wrong key, where the list is open to everyone */
  readonly check?: string
  /** the header that carries the key; a bearer token unless given */
  readonly header?: string
  /** headers that every request needs */
  readonly headers?: Readonly<Record<string, string>>
  /** Model name to label; the first is the provider's default. */
  readonly models: ReadonlyMap<string, string>
}

/** Any server that speaks OpenAI's protocol, at an address of its own. */
export const COMPATIBLE = 'openai-compatible'

/**
 * Names from the catalogues of the installed provider packages. Short on purpose: an operator who wants
 * another model of the same provider names it in RAMIFY_MODELS_FILE or RAMIFY_DEFAULT_MODEL.
 */
export const knownProviders: readonly KnownProvider[] = [
  {
    name: 'openai',
    label: 'OpenAI',
    variable: 'OPENAI_API_KEY',
    baseUrl: 'https://api.openai.com/v1',
    list: '/models',
    models: new Map([
      ['gpt-6-astra', 'GPT-6 Astra'],
      ['gpt-6-luna', 'GPT-6 Luna'],
      ['gpt-5.5', 'GPT-5.5'],
      ['gpt-4.1', 'GPT-4.1'],
    ]),
  },
  {
    name: 'anthropic',
    label: 'Anthropic',
    variable: 'ANTHROPIC_API_KEY',
    baseUrl: 'https://api.anthropic.com/v1',
    list: '/models',
    header: 'x-api-key',
    headers: { 'anthropic-version': '2023-06-01' },
    models: new Map([
      ['claude-sonnet-5-5', 'Claude Sonnet 5.5'],
      ['claude-opus-5-5', 'Claude Opus 5.5'],
      ['claude-haiku-5-5', 'Claude Haiku 5.5'],
    ]),
  },
  {
    name: 'google',
    label: 'Google',
    variable: 'GOOGLE_GENERATIVE_AI_API_KEY',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta',
    list: '/models?pageSize=1000',
    header: 'x-goog-api-key',
    models: new Map([
      ['gemini-4-argon', 'Gemini 4 Argon'],
      ['gemini-4-hydrogen', 'Gemini 4 Hydrogen'],
      ['gemini-3.8-flash', 'Gemini 3.8 Flash'],
    ]),
  },
  {
    name: 'groq',
    label: 'Groq',
    variable: 'GROQ_API_KEY',
    baseUrl: 'https://api.groq.com/openai/v1',
    list: '/models',
    models: new Map([
      ['openai/gpt-oss-120b', 'GPT-OSS 120B'],
      ['openai/gpt-oss-20b', 'GPT-OSS 20B'],
    ]),
  },
  {
    name: 'openrouter',
    label: 'OpenRouter',
    variable: 'OPENROUTER_API_KEY',
    baseUrl: 'https://openrouter.ai/api/v1',
    list: '/models',
    check: '/key',
    models: new Map([
      ['openrouter/auto', 'Auto Router'],
      ['openai/gpt-6-luna', 'GPT-6 Luna'],
      ['google/gemini-4-hydrogen', 'Gemini 4 Hydrogen'],
    ]),
  },
  {
    name: 'gateway',
    label: 'AI Gateway',
    variable: 'AI_GATEWAY_API_KEY',
    baseUrl: 'https://ai-gateway.vercel.sh/v1',
    list: '/models',
    check: '/credits',
    models: new Map([
      ['openai/gpt-6-luna', 'GPT-6 Luna'],
      ['anthropic/claude-sonnet-5.5', 'Claude Sonnet 5.5'],
      ['google/gemini-4-hydrogen', 'Gemini 4 Hydrogen'],
    ]),
  },
]

/** Every variable that holds a key which costs its owner money when others use it. */
export const providerVariables: readonly string[] = [
  ...knownProviders.map(({ variable }) => variable),
  'OPENAI_COMPATIBLE_API_KEY',
]

/** The providers whose keys a person can save, with the words for them. */
export const ownProviders: readonly { readonly name: ProviderName; readonly label: string }[] = [
  ...knownProviders.map(({ name, label }) => ({ name, label })),
  { name: COMPATIBLE, label: 'OpenAI-compatible server' },
]

const names: Readonly<Record<string, string>> = {
  ...Object.fromEntries(ownProviders.map(({ name, label }) => [name, label])),
  ollama: 'Ollama',
  lmstudio: 'LM Studio',
  demo: 'Built in',
}

/** A provider as it is written, by the name that model ids begin with. */
export const providerLabel = (name: string): string => names[name] ?? name
