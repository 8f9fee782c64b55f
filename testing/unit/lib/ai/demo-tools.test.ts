import { generateText, isStepCount, type ToolSet } from 'ai'
import { expect, test } from 'vitest'
import { builtIns, type ToolWork } from '@/lib/ai'
import { demoModel } from '@/lib/ai/demo-model'

/** What the demo model says, with every tool that comes with Ramify. */
async function asked(prompt: string, offered = builtIns.map(({ name }) => name)) {
  const done: unknown[] = []
  const work: ToolWork = {
    now: () => Date.parse('2026-03-14T09:26:53Z'),
    search: async (query) => {
      done.push({ query })
      return []
    },
    remember: async (memory) => void done.push(memory),
    forget: async (key) => done.push({ key }) > 0,
  }
  const made = builtIns
    .filter(({ name }) => offered.includes(name))
    .map(({ name, make }) => [name, make(work)])
  const { text } = await generateText({
    model: demoModel(),
    prompt,
    tools: Object.fromEntries(made) as ToolSet,
    stopWhen: isStepCount(3),
  })
  return { text, done }
}

test.each([
  ['calculate 2*(3+4)', 'The result is 14.', []],
  ['12*7', 'The result is 84.', []],
  ['What time is it in Europe/Lisbon?', 'It is Saturday, 14 March 2026 at 09:26:53 WET.', []],
  [
    'Remember that my cat is called Tom.',
    'I will remember that on this branch.',
    [{ key: 'my cat', text: 'my cat is called Tom' }],
  ],
  ['Forget my cat', 'I have forgotten “my cat”.', [{ key: 'my cat' }]],
  ['Please search my chats for sardines', '{"found":[]}', [{ query: 'sardines' }]],
])('given “%s” and the tool for it, then the demo model uses it', async (question, words, did) => {
  const { text, done } = await asked(question)
  expect(text.replace(/\s+/g, ' ')).toContain(words)
  expect(done).toEqual(did)
})

test('given no tool, then it answers as it always did', async () => {
  expect((await asked('12*7', [])).text).toContain('12 * 7 = 84')
})
