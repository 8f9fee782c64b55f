/** A provider that one environment key switches on, with the models offered while it is on. */
export type KnownProvider = {
  readonly name: 'openai' | 'anthropic' | 'google'
  readonly variable: string
  /** Model name to label; the first is the provider's default. */
  readonly models: ReadonlyMap<string, string>
}

/**
 * Names from the catalogues of the installed provider packages. Short on purpose: an operator who wants
 * another model of the same provider names it in RAMIFY_DEFAULT_MODEL.
 */
export const knownProviders: readonly KnownProvider[] = [
  {
    name: 'openai',
    variable: 'OPENAI_API_KEY',
    models: new Map([
      ['gpt-6-astra', 'GPT-6 Astra'],
      ['gpt-6-luna', 'GPT-6 Luna'],
      ['gpt-5.5', 'GPT-5.5'],
      ['gpt-4.1', 'GPT-4.1'],
    ]),
  },
  {
    name: 'anthropic',
    variable: 'ANTHROPIC_API_KEY',
    models: new Map([
      ['claude-sonnet-5-5', 'Claude Sonnet 5.5'],
      ['claude-opus-5-5', 'Claude Opus 5.5'],
      ['claude-haiku-5-5', 'Claude Haiku 5.5'],
    ]),
  },
  {
    name: 'google',
    variable: 'GOOGLE_GENERATIVE_AI_API_KEY',
    models: new Map([
      ['gemini-4-argon', 'Gemini 4 Argon'],
      ['gemini-4-hydrogen', 'Gemini 4 Hydrogen'],
      ['gemini-3.8-flash', 'Gemini 3.8 Flash'],
    ]),
  },
]

/** Every variable that holds a key which costs its owner money when others use it. */
export const providerKeys: readonly string[] = [
  ...knownProviders.map(({ variable }) => variable),
  'OPENAI_COMPATIBLE_API_KEY',
]
