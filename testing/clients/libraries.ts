import { AFTER, ASKED, type Client, openAIEnv, type Way } from './clients'
import type { Step } from './job'

/** A library as a client: a script of a few lines with its default settings, and a tool that fails for what begins with "no". */
interface Library {
  name: string
  /** on npm; the first is the one that is run */
  packages: readonly [string, ...string[]]
  env: (way: Way) => Readonly<Record<string, string>>
  script: string
}

const LOOK = `const look = async ({ what }) => { if (what.startsWith('no')) throw new Error('nothing there'); return 'seen ' + what }
const parameters = { type: 'object', properties: { what: { type: 'string' } }, required: ['what'], additionalProperties: false }
const [first, second] = process.argv.slice(2)`

const openai = `import OpenAI from 'openai'
${LOOK}
const client = new OpenAI()
// a tool of this library tells in words that it has failed
const told = (input) => look(input).catch((error) => error.message)
const messages = []
for (const content of [first, second]) {
  messages.push({ role: 'user', content })
  const tools = [{ type: 'function', function: { name: 'look', description: 'Looks', parameters, parse: JSON.parse, function: told } }]
  const runner = client.chat.completions.runTools({ model: 'gpt-5.5', messages, tools }, { maxChatCompletions: 50 })
  console.log(await runner.finalContent())
  messages.splice(0, messages.length, ...runner.messages)
}`

const agents = `import { Agent, run, tool } from '@openai/agents'
${LOOK}
const agent = new Agent({ name: 'Worker', instructions: 'Be brief.', model: 'gpt-5.5', tools: [tool({ name: 'look', description: 'Looks', parameters, strict: true, execute: look })] })
const one = await run(agent, first, { maxTurns: 50 })
const two = await run(agent, [...one.history, { role: 'user', content: second }], { maxTurns: 50 })
console.log(one.finalOutput, two.finalOutput)`

const langgraph = `import { tool } from '@langchain/core/tools'
import { createReactAgent } from '@langchain/langgraph/prebuilt'
import { ChatOpenAI } from '@langchain/openai'
${LOOK}
const agent = createReactAgent({ llm: new ChatOpenAI({ model: 'gpt-5.5' }), tools: [tool(look, { name: 'look', description: 'Looks', schema: parameters })] })
let messages = []
for (const content of [first, second]) {
  const state = await agent.invoke({ messages: [...messages, { role: 'user', content }] }, { recursionLimit: 200 })
  messages = state.messages
  console.log(messages.at(-1).content)
}`

const libraries: readonly Library[] = [
  { name: 'openai', packages: ['openai'], env: openAIEnv, script: openai },
  {
    name: 'OpenAI Agents SDK',
    packages: ['@openai/agents', 'zod'],
    env: (way) => ({ ...openAIEnv(way), OPENAI_AGENTS_DISABLE_TRACING: '1' }),
    script: agents,
  },
  {
    name: 'LangGraph',
    packages: ['@langchain/langgraph', '@langchain/openai', '@langchain/core'],
    env: openAIEnv,
    script: langgraph,
  },
]

const look = (what: string): Step => ({ tool: 'look', input: { what } })

/** The job of a library: twenty looks, of which one finds nothing, and the provider is overloaded once. */
const steps: readonly Step[] = [
  look('add.mjs'),
  look('no such file'),
  { ...look('once more'), fails: true },
  ...Array.from({ length: 17 }, (_, at) => look(`line ${at + 1}`)),
]

/** A question, a call and its answer for every look, and the last words; another question and its answer. */
const drawn = { messages: 1 + 2 * steps.length + 1 + 2, branches: 1 }

export const libraryClients: readonly Client[] = libraries.map(({ name, packages, env, script }) => ({
  name,
  pkg: packages[0],
  packages,
  env,
  drawn,
  files: () => ({ 'work/run.mjs': script }),
  commands: () => [['run.mjs', ASKED, AFTER]],
  job: () => ({ steps: { main: steps } }),
}))
