import type { Job, Step } from './job'

/** Where a client is sent, and what it shows there. */
export interface Way {
  /** without `/v1` */
  base: string
  key: string
  /** its home; it works in the folder `work` of it */
  home: string
}

/** A client as a person installs and starts it. */
export interface Client {
  name: string
  /** on npm */
  pkg: string
  /** other packages that it needs */
  packages?: readonly string[]
  /** the command that it brings; a library is a script that Node runs */
  bin?: string
  env: (way: Way) => Readonly<Record<string, string>>
  /** files of its home, by path */
  files?: (way: Way) => Readonly<Record<string, string>>
  /** the commands of its session, one after the other */
  commands: (way: Way) => readonly (readonly string[])[]
  /** whether a person moves it in a further run */
  isSteered?: boolean
  /** how it goes on from a session that Ramify has written, with these words */
  resume?: {
    format: 'claude-code' | 'codex' | 'pi'
    command: (way: Way, session: string, words: string) => readonly string[]
  }
  /** @param work the folder that it works in */
  job: (work: string) => Job
  /** the graph of its session as it is drawn by hand */
  drawn?: { messages: number; branches: number }
}

/** What the person asks for. The word tells the scripted model which part of the job this is. */
export const ASKED = 'Fix the bug in add.mjs, job:main'
export const AFTER = 'Now add a test, job:after'
const DELEGATED = 'Look for callers of add, job:sub'

const MODELS = ['gpt-5.5', 'gpt-5.5-mini', 'qwen3-coder-plus']

/** Calls of a shell, as many as fill the job up. */
const shell = (count: number, of: (command: string) => Step): Step[] =>
  Array.from({ length: count }, (_, at) => of(`echo line ${at + 1}`))

export const openAIEnv = ({ base, key }: Way) => ({ OPENAI_BASE_URL: `${base}/v1`, OPENAI_API_KEY: key })

export const anthropicEnv = ({ base, key }: Way) => ({ ANTHROPIC_BASE_URL: base, ANTHROPIC_API_KEY: key })

const askingClaude = (text: string, ...more: string[]) => [
  ...['-p', text, '--dangerously-skip-permissions', '--output-format', 'json', ...more],
]

const askingCodex = ({ base }: Way, ...words: string[]) => {
  const provider = `{name="x",base_url="${base}/v1",env_key="OPENAI_API_KEY",wire_api="responses"}`
  const flags = ['-c', 'model_provider="x"', '-c', `model_providers.x=${provider}`]
  return ['exec', '--skip-git-repo-check', ...flags, '--dangerously-bypass-approvals-and-sandbox', ...words]
}

export const codingAgents: readonly Client[] = [
  {
    name: 'Claude Code',
    pkg: '@anthropic-ai/claude-code',
    bin: 'claude',
    isSteered: true,
    env: (way) => ({
      ...anthropicEnv(way),
      // it refuses to run as root anywhere else
      IS_SANDBOX: '1',
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    }),
    commands: () => [
      askingClaude(ASKED),
      askingClaude('/compact', '--continue'),
      askingClaude(AFTER, '--continue'),
    ],
    resume: {
      format: 'claude-code',
      command: (_, session, words) => askingClaude(words, '--resume', session),
    },
    job(work) {
      const file_path = `${work}/add.mjs`
      const bash = (command: string): Step => ({ tool: 'Bash', input: { command, description: command } })
      const edit = (old_string: string): Step => ({
        tool: 'Edit',
        input: { file_path, old_string, new_string: 'a + b' },
      })
      const agent = {
        description: 'Find callers',
        prompt: DELEGATED,
        subagent_type: 'general-purpose',
        run_in_background: false,
      }
      return {
        steps: {
          main: [
            { tool: 'Read', input: { file_path } },
            edit('a * b'),
            edit('a - b'),
            { ...bash('false'), fails: true },
            { tool: 'Agent', input: agent },
            ...shell(14, bash),
          ],
          sub: [{ tool: 'Read', input: { file_path } }, ...shell(2, bash)],
          after: shell(2, bash),
        },
      }
    },
  },
  {
    name: 'Codex',
    pkg: '@openai/codex',
    bin: 'codex',
    isSteered: true,
    env: ({ key }) => ({ OPENAI_API_KEY: key }),
    commands: (way) => [askingCodex(way, ASKED), askingCodex(way, 'resume', '--last', AFTER)],
    resume: { format: 'codex', command: (way, session, words) => askingCodex(way, 'resume', session, words) },
    job(work) {
      const exec = (cmd: string): Step => ({
        tool: 'exec',
        input: `text(await tools.exec_command(${JSON.stringify({ cmd, workdir: work })}))`,
      })
      return {
        steps: {
          main: [exec('cat add.mjs'), { ...exec('false'), fails: true }, ...shell(18, exec)],
        },
      }
    },
  },
  {
    name: 'opencode',
    pkg: 'opencode-ai',
    bin: 'opencode',
    isSteered: true,
    env: ({ base, key }) => ({
      OPENAI_API_KEY: key,
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_CONFIG_CONTENT: JSON.stringify({
        provider: { openai: { options: { baseURL: `${base}/v1` } } },
        permission: { '*': 'allow' },
      }),
    }),
    commands: () => [
      ['run', ASKED],
      ['run', '--continue', AFTER],
    ],
    job(work) {
      const filePath = `${work}/add.mjs`
      const bash = (command: string): Step => ({ tool: 'bash', input: { command, description: command } })
      return {
        steps: {
          main: [
            { tool: 'read', input: { filePath } },
            { tool: 'read', input: { filePath: `${work}/gone.mjs` } },
            { ...bash('false'), fails: true },
            {
              tool: 'task',
              input: { description: 'Find callers', prompt: DELEGATED, subagent_type: 'general' },
            },
            ...shell(16, bash),
          ],
          sub: [{ tool: 'read', input: { filePath } }, ...shell(2, bash)],
        },
      }
    },
  },
  {
    name: 'Qwen Code',
    pkg: '@qwen-code/qwen-code',
    bin: 'qwen',
    env: (way) => ({ ...openAIEnv(way), OPENAI_MODEL: 'qwen3-coder-plus' }),
    commands: () => [
      ['--auth-type', 'openai', '--yolo', '-p', ASKED],
      ['--auth-type', 'openai', '--yolo', '--continue', '-p', AFTER],
    ],
    job(work) {
      const file_path = `${work}/add.mjs`
      const bash = (command: string): Step => ({
        tool: 'run_shell_command',
        input: { command, is_background: false },
      })
      const edit = (old_string: string): Step => ({
        tool: 'edit',
        input: { file_path, old_string, new_string: 'a + b' },
      })
      const agent = { description: 'Find callers', prompt: DELEGATED, subagent_type: 'general-purpose' }
      return {
        steps: {
          main: [
            { tool: 'read_file', input: { file_path } },
            edit('a * b'),
            edit('a - b'),
            { ...bash('false'), fails: true },
            { tool: 'agent', input: agent },
            ...shell(15, bash),
          ],
          sub: [{ tool: 'read_file', input: { file_path } }, ...shell(2, bash)],
        },
      }
    },
  },
  {
    name: 'Continue',
    drawn: { messages: 44, branches: 1 },
    pkg: '@continuedev/cli',
    bin: 'cn',
    env: ({ key }) => ({ OPENAI_API_KEY: key }),
    files: ({ base, key }) => ({
      'cn.yaml': [
        ...[
          'name: agents',
          'version: 1.0.0',
          'schema: v1',
          'models:',
          '  - name: main',
          '    provider: openai',
        ],
        ...['    model: gpt-5.5', `    apiBase: ${base}/v1`, `    apiKey: ${key}`, '    roles: [chat]', ''],
      ].join('\n'),
    }),
    commands: ({ home }) => [
      ['--config', `${home}/cn.yaml`, '--auto', '-p', ASKED],
      ['--config', `${home}/cn.yaml`, '--auto', '--resume', '-p', AFTER],
    ],
    job(work) {
      const bash = (command: string): Step => ({ tool: 'Bash', input: { command } })
      return {
        models: MODELS,
        steps: {
          main: [
            { tool: 'Read', input: { filepath: `${work}/add.mjs` } },
            { tool: 'Read', input: { filepath: `${work}/gone.mjs` } },
            { ...bash('false'), fails: true },
            ...shell(17, bash),
          ],
        },
      }
    },
  },
  {
    name: 'Cline',
    drawn: { messages: 42, branches: 1 },
    pkg: 'cline',
    bin: 'cline',
    env: () => ({}),
    commands: ({ base, key }) => [
      ['auth', 'openai', '--apikey', key, '--modelid', 'gpt-5.5', '--baseurl', `${base}/v1`],
      ['-P', 'openai', '-k', key, '-m', 'gpt-5.5', ASKED],
    ],
    job(work) {
      const bash = (command: string): Step => ({ tool: 'run_commands', input: { commands: [command] } })
      return {
        steps: {
          main: [
            { tool: 'read_files', input: { files: [{ path: `${work}/add.mjs` }] } },
            { tool: 'read_files', input: { files: [{ path: `${work}/gone.mjs` }] } },
            { ...bash('false'), fails: true },
            ...shell(17, bash),
          ],
        },
      }
    },
  },
  {
    name: 'pi',
    drawn: { messages: 44, branches: 1 },
    pkg: '@mariozechner/pi-coding-agent',
    bin: 'pi',
    env: () => ({ PI_OFFLINE: '1' }),
    files: ({ base, key }) => ({
      '.pi/agent/models.json': JSON.stringify({
        providers: {
          scripted: {
            baseUrl: `${base}/v1`,
            api: 'openai-completions',
            apiKey: key,
            models: [{ id: 'gpt-5.5' }],
          },
        },
      }),
    }),
    commands: () => [
      ['--provider', 'scripted', '--model', 'gpt-5.5', '-p', ASKED],
      ['--provider', 'scripted', '--model', 'gpt-5.5', '--continue', '-p', AFTER],
    ],
    resume: {
      format: 'pi',
      command: (_, session, words) => [
        ...['--provider', 'scripted', '--model', 'gpt-5.5', '--session', session, '-p', words],
      ],
    },
    job(work) {
      const path = `${work}/add.mjs`
      const bash = (command: string): Step => ({ tool: 'bash', input: { command } })
      return {
        steps: {
          main: [
            { tool: 'read', input: { path } },
            { tool: 'edit', input: { path, edits: [{ oldText: 'a * b', newText: 'a + b' }] } },
            { tool: 'edit', input: { path, edits: [{ oldText: 'a - b', newText: 'a + b' }] } },
            { ...bash('false'), fails: true },
            ...shell(16, bash),
          ],
        },
      }
    },
  },
]
