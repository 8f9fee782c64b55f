import { existsSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import path from 'node:path'
import { z } from 'zod'
import { CommandError } from '../errors'

type Env = Readonly<Record<string, string | undefined>>

/** The server for a client, and the client's access to it. */
export interface ClientPlace {
  /** the address of the server, without a slash at its end */
  origin: string
  /** the key of Ramify */
  key: string
  /** the environment of the caller */
  env: Env
  /** the client gets the tools of Ramify, too */
  mcp: boolean
}

/** Settings of a client: variables besides its caller's, and arguments before its own. */
interface ClientSettings {
  env: Record<string, string>
  args: string[]
}

interface AgentClient {
  name: string
  /** the command, or the last part of its path */
  command: string
  /** its package, as `npx` takes it */
  package: string
  settings(place: ClientPlace): ClientSettings
}

/** Carries Ramify's key beside the client's own credential, which goes on to its provider. */
const KEY_HEADER = 'x-ramify-key'

/** Ramify's key stands in the environment under this name, also for the command line of Ramify itself. */
const KEY_VARIABLE = 'RAMIFY_API_KEY'

const isOwn = (value: string | undefined): boolean => !!value && !value.startsWith('rk_')

/** Clients that need more than the variables of both protocols, or something else. One row for each. */
const clients: readonly AgentClient[] = [
  {
    name: 'Claude Code',
    command: 'claude',
    package: '@anthropic-ai/claude-code',
    settings({ origin, key, env, mcp }) {
      const headers = [env.ANTHROPIC_CUSTOM_HEADERS, `${KEY_HEADER}: ${key}`].filter(Boolean).join('\n')
      // it fills in the variable; a key among the arguments would be seen by others
      const server = { type: 'http', url: `${origin}/mcp`, headers: bearer(`\${${KEY_VARIABLE}}`) }
      return {
        env: {
          ANTHROPIC_BASE_URL: origin,
          // a login of the client is left as it is
          ...(hasClaudeLogin(env) ? { ANTHROPIC_CUSTOM_HEADERS: headers } : { ANTHROPIC_AUTH_TOKEN: key }),
        },
        // written with `=`: the option would take the words after it, too
        args: mcp ? [`--mcp-config=${JSON.stringify({ mcpServers: { ramify: server } })}`] : [],
      }
    },
  },
  {
    name: 'Codex',
    command: 'codex',
    package: '@openai/codex',
    settings({ origin, key, env, mcp }) {
      const credential = isOwn(env.OPENAI_API_KEY)
        ? `env_key="OPENAI_API_KEY",env_http_headers={"${KEY_HEADER}"="${KEY_VARIABLE}"}`
        : `env_key="${KEY_VARIABLE}"`
      const provider = `{name="Ramify",base_url="${origin}/v1",wire_api="responses",${credential}}`
      const server = `{url="${origin}/mcp",bearer_token_env_var="${KEY_VARIABLE}"}`
      const given = [
        'model_provider="ramify"',
        `model_providers.ramify=${provider}`,
        ...(mcp ? [`mcp_servers.ramify=${server}`] : []),
      ]
      return { env: { [KEY_VARIABLE]: key }, args: given.flatMap((setting) => ['-c', setting]) }
    },
  },
  {
    name: 'opencode',
    command: 'opencode',
    package: 'opencode-ai',
    settings({ origin, key, env, mcp }) {
      const logins = openCodeLogins(env)
      const options = (provider: string, variable: string) => ({
        baseURL: `${origin}/v1`,
        ...(logins.includes(provider) || isOwn(env[variable])
          ? { headers: { [KEY_HEADER]: key } }
          : { apiKey: key }),
      })
      const given = configOf(env.OPENCODE_CONFIG_CONTENT)
      const server = { type: 'remote', url: `${origin}/mcp`, headers: bearer(key) }
      const config = {
        ...given,
        provider: {
          ...given.provider,
          openai: { options: options('openai', 'OPENAI_API_KEY') },
          anthropic: { options: options('anthropic', 'ANTHROPIC_API_KEY') },
        },
        mcp: { ...given.mcp, ...(mcp ? { ramify: server } : {}) },
      }
      return { env: { OPENCODE_CONFIG_CONTENT: JSON.stringify(config) }, args: [] }
    },
  },
  {
    name: 'Qwen Code',
    command: 'qwen',
    package: '@qwen-code/qwen-code',
    settings: (place) => ({ env: bothProtocols(place), args: ['--auth-type', 'openai'] }),
  },
]

/** Runs a package: the client is the word after it that is no option. */
const runners: ReadonlySet<string> = new Set(['npx', 'bunx', 'pnpx'])

/** A command as it is started. */
export interface ClientCall {
  /** undefined for a command that is no client of the table */
  client: string | undefined
  command: string
  args: string[]
  /** besides the environment of the caller */
  env: Record<string, string>
}

/**
 * A command line with what its client needs to ask a server. Any other command gets the variables of both protocols.
 *
 * @param words the command and its arguments
 */
export function clientCall(words: readonly [string, ...string[]], place: ClientPlace): ClientCall {
  const [command, ...rest] = words
  const isRunner = runners.has(path.basename(command))
  const at = isRunner ? words.findIndex((word, index) => index > 0 && !word.startsWith('-')) : 0
  const word = words[at] ?? command
  const client = clients.find(
    (one) => one.command === path.basename(word, '.exe') || one.package === word.replace(/(?<=.)@[^/]*$/, ''),
  )
  const set = client?.settings(place) ?? { env: bothProtocols(place), args: [] }
  return {
    client: client?.name,
    command,
    args: [...rest.slice(0, at), ...set.args, ...rest.slice(at)],
    env: { RAMIFY_SERVER: place.origin, [KEY_VARIABLE]: place.key, ...set.env },
  }
}

/** Variables that SDKs and programs of both protocols read: they send no header of their own, so the key is the provider's. */
const bothProtocols = ({ origin, key }: ClientPlace): Record<string, string> => ({
  OPENAI_BASE_URL: `${origin}/v1`,
  // older libraries, aider
  OPENAI_API_BASE: `${origin}/v1`,
  OPENAI_API_KEY: key,
  ANTHROPIC_BASE_URL: origin,
  ANTHROPIC_API_KEY: key,
})

const bearer = (key: string) => ({ Authorization: `Bearer ${key}` })

const homeOf = (env: Env): string => env.HOME || homedir()

/** Tells whether Claude Code can name itself to its provider: by a variable, or because a person has signed in there. */
function hasClaudeLogin(env: Env): boolean {
  const variables = ['ANTHROPIC_API_KEY', 'ANTHROPIC_AUTH_TOKEN', 'CLAUDE_CODE_OAUTH_TOKEN']
  if (variables.some((name) => isOwn(env[name]))) return true
  const folder = env.CLAUDE_CONFIG_DIR || path.join(homeOf(env), '.claude')
  if (existsSync(path.join(folder, '.credentials.json'))) return true
  // this file shows that there is a login, also when the system keeps the login
  const settings = env.CLAUDE_CONFIG_DIR
    ? path.join(folder, '.claude.json')
    : path.join(homeOf(env), '.claude.json')
  return namesIn(settings).includes('oauthAccount')
}

/** The providers that a person has signed in to in opencode. */
function openCodeLogins(env: Env): string[] {
  const base = env.XDG_DATA_HOME || path.join(homeOf(env), '.local', 'share')
  return namesIn(path.join(base, 'opencode', 'auth.json'))
}

/** The names in a JSON file, without their values; none when there is no such file. */
function namesIn(file: string): string[] {
  try {
    return Object.keys(z.looseObject({}).parse(JSON.parse(readFileSync(file, 'utf8'))))
  } catch {
    return []
  }
}

const openCodeConfig = z.looseObject({
  provider: z.looseObject({}).optional(),
  mcp: z.looseObject({}).optional(),
})

function configOf(text: string | undefined): z.output<typeof openCodeConfig> {
  if (!text) return {}
  try {
    return openCodeConfig.parse(JSON.parse(text))
  } catch {
    throw new CommandError(
      'OPENCODE_CONFIG_CONTENT is set, and is no JSON that opencode reads. Unset or mend it.',
    )
  }
}
