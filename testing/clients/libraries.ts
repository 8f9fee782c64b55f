import { AFTER, ASKED, anthropicEnv, type Client, openAIEnv, type Way } from './clients'
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

const aiSDK = `import { openai } from '@ai-sdk/openai'
import { generateText, isStepCount, jsonSchema, tool } from 'ai'
${LOOK}
const tools = { look: tool({ description: 'Looks', inputSchema: jsonSchema(parameters), execute: look }) }
const messages = []
for (const content of [first, second]) {
  messages.push({ role: 'user', content })
  const { text, responseMessages } = await generateText({ model: openai('gpt-5.5'), tools, messages, stopWhen: isStepCount(50) })
  messages.push(...responseMessages)
  console.log(text)
}`

const anthropic = `import Anthropic from '@anthropic-ai/sdk'
import { betaTool } from '@anthropic-ai/sdk/helpers/beta/json-schema'
${LOOK}
const client = new Anthropic()
const messages = []
for (const content of [first, second]) {
  messages.push({ role: 'user', content })
  const tools = [betaTool({ name: 'look', description: 'Looks', inputSchema: parameters, run: look })]
  const runner = client.beta.messages.toolRunner({ model: 'claude-sonnet-5', max_tokens: 1000, max_iterations: 50, messages, tools })
  const last = await runner.runUntilDone()
  messages.splice(0, messages.length, ...runner.params.messages)
  console.log(JSON.stringify(last.content))
}`

const llamaIndex = `import { openai } from '@llamaindex/openai'
import { agent } from '@llamaindex/workflow'
import { tool } from 'llamaindex'
${LOOK}
const tools = [tool({ name: 'look', description: 'Looks', parameters, execute: look })]
const worker = agent({ llm: openai({ model: 'gpt-5.5' }), tools })
const one = await worker.run(first)
const two = await worker.run(second, { chatHistory: one.data.state.memory ? await one.data.state.memory.getLLM() : [] })
console.log(one.data.result, two.data.result)`

const mastra = `import { Agent } from '@mastra/core/agent'
import { createTool } from '@mastra/core/tools'
import { z } from 'zod'
${LOOK}
const tools = { look: createTool({ id: 'look', description: 'Looks', inputSchema: z.object({ what: z.string() }), execute: ({ context }) => look(context) }) }
const agent = new Agent({ name: 'Worker', instructions: 'Be brief.', model: 'openai/gpt-5.5', tools, maxRetries: 2 })
const one = await agent.generate([{ role: 'user', content: first }], { maxSteps: 50 })
const two = await agent.generate([{ role: 'user', content: first }, ...one.response.messages, { role: 'user', content: second }], { maxSteps: 50 })
console.log(one.text, two.text)`

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
  { name: 'AI SDK', packages: ['ai', '@ai-sdk/openai'], env: openAIEnv, script: aiSDK },
  { name: 'Anthropic tool runner', packages: ['@anthropic-ai/sdk'], env: anthropicEnv, script: anthropic },
  {
    name: 'LlamaIndex',
    packages: ['llamaindex', '@llamaindex/openai', '@llamaindex/workflow'],
    env: openAIEnv,
    script: llamaIndex,
  },
  { name: 'Mastra', packages: ['@mastra/core', 'zod'], env: openAIEnv, script: mastra },
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
