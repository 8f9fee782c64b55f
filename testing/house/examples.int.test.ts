// The examples of the engine in the documents, as they stand there.

import { afterAll, expect, test } from 'vitest'
import * as engine from '@/lib/context'
import * as stores from '@/lib/store'
import * as published from '@/lib/store/published'
import { pgliteFolder } from '@/testing/worlds/open-stores'
import { codeBlocks } from './documents'

const { dataDir, remove } = pgliteFolder()
afterAll(remove)

const blocks = codeBlocks.filter(({ language }) => language === 'ts')
const modules: Record<string, unknown> = {
  '@/lib/context': engine,
  '@/lib/store': stores,
  '@ramify/context': engine,
  '@ramify/context-postgres': published,
}

interface Example {
  store: engine.ContextStore & { close?(): Promise<void> }
  context: engine.ContextEngine
  systemPrompt: string
  messages: unknown[]
}

/** Runs the examples of a document as one program, with its data in a folder of the test, and returns its variables. */
async function run(file: string): Promise<Example> {
  const code = blocks
    .flatMap((block) => (block.file === file ? block.code : []))
    .join('\n')
    .replaceAll(/^import (\{[^}]*\}) from '([^']+)'$/gm, "const $1 = modules['$2']")
    .replace("'.data'", JSON.stringify(dataDir))
  const AsyncFunction = (async () => undefined).constructor as FunctionConstructor
  return AsyncFunction('modules', `${code}\nreturn { store, context, systemPrompt, messages }`)(modules)
}

const wordsOf = async ({ store }: Example) =>
  (await store.getGraph('trip')).nodes.map(({ content }) => content)

test('the example of the README keeps both answers, and the model reads the branch that was rewound', async () => {
  const example = await run('README.md')
  expect(example.systemPrompt).toBe('<role>You are helpful.</role>')
  expect(example.messages).toMatchObject([
    { role: 'user', parts: [{ text: 'What is 2 + 2?' }] },
    { role: 'assistant', parts: [{ text: '4' }] },
  ])
  expect(await wordsOf(example)).toEqual(['What is 2 + 2?', '5', '4'])
  await example.store.close?.()
  // the page about the architecture has the same one
  const { code: ofReadme } = blocks.find(({ file }) => file === 'README.md') ?? {}
  expect(blocks.find(({ file }) => file === 'docs/architecture.md')?.code).toBe(ofReadme)
})

test('the example of the engine does what its comments say', async () => {
  const example = await run('lib/context/README.md')
  expect(example.systemPrompt).toBe('<role>You are a travel agent.</role>\n<hint>Be brief.</hint>')
  expect(example.messages).toHaveLength(1)
  const { branches } = await example.store.getGraph('trip')
  expect(branches.find(({ name }) => name === 'main-v2')).toBeDefined()
  const chain = await example.store.getMessageChain('trip', example.context.headMessageId ?? '')
  expect(chain.map(({ name }) => name)).toEqual(['user', 'assistant'])
  expect(await wordsOf(example)).toEqual(['Where to in May?', 'Lisbon.', 'Ghent.'])
})

test('the examples of the page about the packages do what their comments say', async () => {
  const example = await run('docs/engine.md')
  expect(example.systemPrompt).toContain('<hint>Be brief.</hint>')
  expect(example.messages).toMatchObject([{ role: 'user' }, { role: 'assistant' }])
  const { branches, checkpoints } = await example.store.getGraph('may')
  expect(branches.map(({ name }) => name)).toEqual(['main', 'main-v2', 'main-v3'])
  expect(checkpoints.map(({ name }) => name)).toEqual(['decided'])
  await example.store.close?.()
})

test('each example in TypeScript is run', () => {
  expect(new Set(blocks.map(({ file }) => file))).toEqual(
    new Set(['README.md', 'docs/architecture.md', 'docs/engine.md', 'lib/context/README.md']),
  )
})
