/** Lines to copy for one client, and what to know about them. */
export interface Snippet {
  /** also the anchor on the page */
  id: string
  client: string
  note?: string
  /** the name of the file, or the language */
  label: string
  text: string
}

/** Address of this server, and the model that the lines name. */
export interface AgentAddress {
  origin: string
  /** `provider:model` */
  model: string
}

const KEY = 'RAMIFY_API_KEY'

/** Programs in a container reach the host under another name. */
const fromContainer = (origin: string): string =>
  origin.replace(/^(https?:\/\/)(?:localhost|127\.0\.0\.1|\[::1\])(?=[:/]|$)/, '$1host.docker.internal')

/** Libraries, in which the base URL and the key are set in code. */
export const librarySnippets = ({ origin, model }: AgentAddress): Snippet[] => [
  {
    id: 'openai-python',
    client: 'OpenAI for Python',
    label: 'Python',
    text: `import os
from openai import OpenAI

client = OpenAI(base_url="${origin}/v1", api_key=os.environ["${KEY}"])
reply = client.chat.completions.create(
    model="${model}",
    messages=[{"role": "user", "content": "Hello"}],
)
print(reply.choices[0].message.content)`,
  },
  {
    id: 'openai-js',
    client: 'OpenAI for JavaScript',
    label: 'TypeScript',
    text: `import OpenAI from 'openai'

const client = new OpenAI({ baseURL: '${origin}/v1', apiKey: process.env.${KEY} })
const reply = await client.chat.completions.create({
  model: '${model}',
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(reply.choices[0].message.content)`,
  },
  {
    id: 'anthropic',
    client: 'Anthropic',
    label: 'TypeScript',
    note: 'In Python the setting is `base_url`. The client adds `/v1/messages` itself.',
    text: `import Anthropic from '@anthropic-ai/sdk'

const client = new Anthropic({ baseURL: '${origin}', apiKey: process.env.${KEY} })
const reply = await client.messages.create({
  model: '${model}',
  max_tokens: 1024,
  messages: [{ role: 'user', content: 'Hello' }],
})
console.log(reply.content)`,
  },
  {
    id: 'ai-sdk',
    client: 'AI SDK',
    label: 'TypeScript',
    text: `import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText } from 'ai'

const ramify = createOpenAICompatible({
  name: 'ramify',
  baseURL: '${origin}/v1',
  apiKey: process.env.${KEY},
})
const { text } = await generateText({ model: ramify.chatModel('${model}'), prompt: 'Hello' })
console.log(text)`,
  },
  {
    id: 'langchain',
    client: 'LangChain.js',
    label: 'TypeScript',
    text: `import { ChatOpenAI } from '@langchain/openai'

const model = new ChatOpenAI({
  model: '${model}',
  apiKey: process.env.${KEY},
  configuration: { baseURL: '${origin}/v1' },
})
console.log((await model.invoke('Hello')).content)`,
  },
]

/** Programs, in which they are settings. */
export const programSnippets = ({ origin, model }: AgentAddress): Snippet[] => [
  {
    id: 'ramify-run',
    client: 'Any command, without settings',
    label: 'Shell',
    note: 'In the folder of Ramify, or where it is installed. Address and key are set in the form that the command reads, and a login of its own stays: Claude Code 2.1.197, Codex 0.171.0, opencode 1.18.33 and Qwen Code 0.15.10 were run so; any other command gets the variables of both protocols. Without a running server one is started, which stops with the last run. `--mcp` adds the tools of Ramify, `--open` opens the chat.',
    text: `npx ramify run -- claude
npx ramify run --mcp -- codex
npx ramify run -- opencode
npx ramify run --open -- python agent.py`,
  },
  {
    id: 'claude-code',
    client: 'Claude Code',
    label: 'Shell',
    note: 'A key in `ANTHROPIC_API_KEY` would be sent in its place, so that is unset. To go on with a login or key of its own, set `ANTHROPIC_CUSTOM_HEADERS="x-ramify-key: $RAMIFY_API_KEY"` in place of the token.',
    text: `export ANTHROPIC_BASE_URL=${origin}
export ANTHROPIC_AUTH_TOKEN=$${KEY}
export ANTHROPIC_MODEL=${model}
unset ANTHROPIC_API_KEY
claude`,
  },
  {
    id: 'cursor',
    client: 'Cursor',
    label: 'Cursor Settings, Models',
    note: 'Cursor asks from its own servers, so this address must be reachable from the internet.',
    text: `OpenAI API Key              your key
Override OpenAI Base URL    ${origin}/v1
Add model                   ${model}`,
  },
  {
    id: 'open-webui',
    client: 'Open WebUI',
    label: 'Shell',
    note: 'Or in its Admin Settings, Connections, OpenAI API.',
    text: `docker run -d -p 8080:8080 \\
  -e OPENAI_API_BASE_URL=${fromContainer(origin)}/v1 \\
  -e OPENAI_API_KEY=$${KEY} \\
  -v open-webui:/app/backend/data \\
  ghcr.io/open-webui/open-webui:main`,
  },
  {
    id: 'librechat',
    client: 'LibreChat',
    label: 'librechat.yaml',
    note: `The key stands in its \`.env\` as \`${KEY}\`.`,
    text: `endpoints:
  custom:
    - name: Ramify
      apiKey: '\${${KEY}}'
      baseURL: '${fromContainer(origin)}/v1'
      models:
        default: ['${model}']
        fetch: true`,
  },
  {
    id: 'aider',
    client: 'aider',
    label: 'Shell',
    text: `export OPENAI_API_BASE=${origin}/v1
export OPENAI_API_KEY=$${KEY}
aider --model openai/${model}`,
  },
  {
    id: 'curl',
    client: 'curl',
    label: 'Shell',
    text: `curl ${origin}/v1/chat/completions \\
  -H "Authorization: Bearer $${KEY}" \\
  -H 'Content-Type: application/json' \\
  -d '{"model": "${model}", "messages": [{"role": "user", "content": "Hello"}]}'`,
  },
]

/** Clients of the Model Context Protocol. */
export const mcpSnippets = ({ origin }: AgentAddress): Snippet[] => [
  {
    id: 'mcp-oauth',
    client: 'Without a key',
    label: 'URL',
    note: 'Clients that speak OAuth need the address alone: Claude, Claude Code, Cursor, VS Code, the MCP Inspector. They open a page of this server, on which you sign in and say whether they may read, or write too. The settings list connected apps, and disconnect them.',
    text: `${origin}/mcp`,
  },
  {
    id: 'mcp-oauth-claude-code',
    client: 'Claude Code, without a key',
    label: 'Shell',
    note: 'Then `/mcp` in Claude Code, and Authenticate.',
    text: `claude mcp add --transport http ramify ${origin}/mcp`,
  },
  {
    id: 'mcp-claude-code',
    client: 'Claude Code',
    label: 'Shell',
    text: `claude mcp add --transport http ramify ${origin}/mcp \\
  --header "Authorization: Bearer $${KEY}"`,
  },
  {
    id: 'mcp-cursor',
    client: 'Cursor',
    label: '~/.cursor/mcp.json',
    note: 'Most other clients read the same form. Where one reads no variables, the key itself stands there.',
    text: `{
  "mcpServers": {
    "ramify": {
      "url": "${origin}/mcp",
      "headers": { "Authorization": "Bearer \${env:${KEY}}" }
    }
  }
}`,
  },
  {
    id: 'mcp-ai-sdk',
    client: 'AI SDK',
    label: 'TypeScript',
    text: `import { createMCPClient } from '@ai-sdk/mcp'

const ramify = await createMCPClient({
  transport: {
    type: 'http',
    url: '${origin}/mcp',
    headers: { Authorization: \`Bearer \${process.env.${KEY}}\` },
  },
})
const tools = await ramify.tools()`,
  },
  {
    id: 'mcp-sdk',
    client: 'TypeScript',
    label: 'TypeScript',
    text: `import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

const client = new Client({ name: 'my-agent', version: '1.0.0' })
const headers = { Authorization: \`Bearer \${process.env.${KEY}}\` }
const transport = new StreamableHTTPClientTransport(new URL('${origin}/mcp'), { requestInit: { headers } })
await client.connect(transport)
const found = await client.callTool({ name: 'search', arguments: { query: 'Lisbon' } })`,
  },
]
