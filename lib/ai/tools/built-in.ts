import { type Tool, tool } from 'ai'
import { z } from 'zod'
import { calculate } from './calculator'

/** A message that was found in the person's chats. */
interface FoundMessage {
  chat: string | null
  branch: string | null
  role: string
  text: string
  said_at: string
}

/** Work of the built-in tools outside of the model. */
export interface ToolWork {
  now(): number
  search(query: string): Promise<FoundMessage[]>
  /** keeps something on the branch of the reply, under a key, in place of an earlier text under that key */
  remember(memory: { key: string; text: string }): Promise<void>
  /** answers whether there was something under the key */
  forget(key: string): Promise<boolean>
}

/** A tool that comes with Ramify. */
interface BuiltIn {
  name: string
  title: string
  /** the advised choice */
  approval: 'always' | 'ask'
  make(work: ToolWork): Tool
}

const key = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .describe('What it is about, in one or two words; the same key replaces what was kept under it')

/** In the order in which they are offered. */
export const builtIns: readonly BuiltIn[] = [
  {
    name: 'calculator',
    title: 'Calculator',
    approval: 'always',
    make: () =>
      tool({
        description: 'Works out an arithmetic expression, such as "2 * (3 + 4)" or "sqrt(2) ^ 3".',
        inputSchema: z.object({ expression: z.string().max(1000) }),
        execute: async ({ expression }) => ({ result: await calculate(expression) }),
      }),
  },
  {
    name: 'current_time',
    title: 'Current time',
    approval: 'always',
    make: (work) =>
      tool({
        description: 'Tells the current date and time.',
        inputSchema: z.object({
          time_zone: z
            .string()
            .max(100)
            .optional()
            .describe('An IANA time zone, such as "Europe/Lisbon"; UTC unless given'),
        }),
        execute: async ({ time_zone: timeZone = 'UTC' }) => timeIn(timeZone, work.now()),
      }),
  },
  {
    name: 'search_chats',
    title: 'Search chats',
    approval: 'ask',
    make: (work) =>
      tool({
        description:
          "Searches the person's own chats for words, on every branch, and answers with what was found, best first.",
        inputSchema: z.object({ query: z.string().min(1).max(200) }),
        execute: async ({ query }) => ({ found: await work.search(query) }),
      }),
  },
  {
    name: 'remember',
    title: 'Remember',
    approval: 'always',
    make: (work) =>
      tool({
        description:
          'Keeps something for the rest of this conversation, in the instructions. Use it for facts and wishes that later answers depend on.',
        inputSchema: z.object({ key, text: z.string().trim().min(1).max(2000).describe('What to remember') }),
        execute: async (memory) => {
          await work.remember(memory)
          return { remembered: memory }
        },
      }),
  },
  {
    name: 'forget',
    title: 'Forget',
    approval: 'always',
    make: (work) =>
      tool({
        description: 'Removes something that was kept with the tool "remember".',
        inputSchema: z.object({ key }),
        execute: async ({ key: forgotten }) => ({ forgotten, was_known: await work.forget(forgotten) }),
      }),
  },
]

function timeIn(timeZone: string, now: number): { time: string; words: string; time_zone: string } {
  const time = new Date(now)
  let words: string
  try {
    words = new Intl.DateTimeFormat('en-GB', { dateStyle: 'full', timeStyle: 'long', timeZone }).format(time)
  } catch {
    throw new Error(`There is no time zone "${timeZone}".`)
  }
  return { time: time.toISOString(), words, time_zone: timeZone }
}
