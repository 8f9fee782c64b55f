import { calculate } from './arithmetic'
import { remember } from './memory'
import { aboutOpeners } from './openers'
import type { DemoFile, DemoPrompt } from './read-prompt'
import { recall } from './recall'
import { countOf, smallTalk } from './small-talk'

/** Everything a person may have it write in one go, so that one message cannot occupy the server. */
const MAX_WORDS = 5000

/**
 * The demo model's whole mind: it looks at nothing but the prompt and the number of times it was asked before. It
 * tries to recognise the question from the top, the most specific kind first.
 *
 * @param take number of times the same was asked before: another try at small talk gets other words
 */
export function answer(prompt: DemoPrompt, take = 0): string {
  const { question, files } = prompt
  if (files.length > 0)
    return [whatIGot(files), question.trim() && reply(prompt, take)].filter(Boolean).join('\n\n')
  return reply(prompt, take)
}

/** It reads no file; but that each arrived can be seen. */
function whatIGot(files: readonly DemoFile[]): string {
  const named = files.map(({ name, type, bytes }) => `- ${name} (${type}, ${countOf(bytes, 'byte')})`)
  return `You attached ${countOf(files.length, 'file')}:\n\n${named.join('\n')}`
}

function reply(prompt: DemoPrompt, take: number): string {
  const { question } = prompt
  const memory = remember(prompt.said)
  return (
    dictated(question) ??
    aboutPrompt(prompt) ??
    recall(question, memory) ??
    calculate(question) ??
    acknowledge(prompt) ??
    aboutOpeners(prompt, take) ??
    smallTalk(prompt, take)
  )
}

function dictated(question: string): string | undefined {
  const upTo = /\bcount (?:up )?(?:from \d+ )?to (\d{1,6})\b/i.exec(question)?.[1]
  if (upTo !== undefined) return joined(Number(upTo), (index) => index + 1)
  const amount = /\b(?:write|say|give me|stream)\s+(?:me\s+)?(\d{1,6})\s+words\b/i.exec(question)?.[1]
  if (amount !== undefined) return joined(Number(amount), (index) => cycle[index % cycle.length])
  return /^\s*(?:please\s+)?(?:repeat(?: after me)?|echo)\s*:\s*([\s\S]+)$/i
    .exec(question)?.[1]
    ?.slice(0, 20_000)
}

const cycle = ['branch', 'message', 'turn', 'rewind', 'merge', 'checkpoint', 'thread']

const joined = (count: number, word: (index: number) => unknown): string =>
  Array.from({ length: Math.min(count, MAX_WORDS) }, (_, index) => word(index)).join(' ')

function aboutPrompt(prompt: DemoPrompt): string | undefined {
  const { question } = prompt
  if (/\bhow many messages\b|\bwhat (?:do|can) you see\b|\bhow many fragments\b/i.test(question))
    return whatISee(prompt)
  if (/\bwho are you\b|\bwhat are you\b|\bwhat(?:'s|’s| is) your (?:role|name|job)\b/i.test(question))
    return whoIAm(prompt)
  return undefined
}

function whatISee({ messages, fromUser, fromAssistant, fragments }: DemoPrompt): string {
  const names = [...Map.groupBy(fragments, (name) => name)].map(([name, all]) =>
    all.length === 1 ? `\`${name}\`` : `\`${name}\` × ${all.length}`,
  )
  const seen = `I see ${countOf(messages, 'message')} on this branch, this one included: ${fromUser} from you and ${fromAssistant} from me.`
  const instructed =
    fragments.length === 0
      ? 'My instructions are empty: 0 fragments.'
      : `My instructions hold ${countOf(fragments.length, 'fragment')}: ${names.join(', ')}.`
  return `${seen}\n\n${instructed}`
}

function whoIAm({ role, messages }: DemoPrompt): string {
  const demo = 'I am the demo model that comes with Ramify: a small program, not a language model.'
  const instructed =
    role === undefined ? 'My instructions give me no role.' : `My instructions give me this role: “${role}”`
  return `${demo} ${instructed}\n\nI read the whole branch before I answer; at the moment that is ${countOf(messages, 'message')}.`
}

/** Says back what the last message stated, so a person sees that it was taken in. */
function acknowledge({ said, messages }: DemoPrompt): string | undefined {
  const last = said.at(-1)
  if (last === undefined) return undefined
  const stated = [...remember([last])]
  if (stated.length === 0) return undefined
  const [first] = stated
  const name = stated.find(([subject]) => subject === 'my name')?.[1].sentence.slice('Your name is '.length)
  const opening = name === undefined ? 'Noted.' : `Nice to meet you, ${name}.`
  const rest = stated.filter(([subject]) => subject !== 'my name').map(([, { sentence }]) => `${sentence}.`)
  const hint =
    first?.[0] === 'my name'
      ? 'Ask me “what is my name?” here or on a branch from here: I only know what the branch tells me.'
      : 'Every branch from here on inherits it; a branch from an earlier message does not.'
  return [[opening, ...rest].join(' '), `${hint} I see ${countOf(messages, 'message')} so far.`].join('\n\n')
}
