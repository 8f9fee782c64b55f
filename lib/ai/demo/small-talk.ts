import type { DemoPrompt } from './read-prompt'

/** A short answer to anything else, in the form asked for. Different messages, and tries, get different words. */
export function smallTalk(prompt: DemoPrompt, take: number): string {
  const { question, messages } = prompt
  const seed = hash(question)
  const seen = `I see ${countOf(messages, 'message')} on this branch.`
  const next = pick(nextSteps, (seed >>> 3) + take)
  if (question.trim() === '') return `${honest}\n\n${seen} ${next}`
  if (/^\W*(?:hi|hello|hey|hallo|good (?:morning|day|evening|afternoon))\b/i.test(question)) {
    return `Hello! ${honest}\n\n${seen} Tell me something about yourself, then ask me about it on two branches.`
  }
  if (/^\W*(?:thanks|thank you|thx|cheers)\b/i.test(question)) return `You are welcome! ${seen} ${next}`
  const body = form(question, prompt, seed)
  return [`${pick(openings, seed + take)} “${topicOf(question)}”. ${honest}`, body, `${seen} ${next}`]
    .filter((paragraph) => paragraph !== '')
    .join('\n\n')
}

const honest =
  'I am the built-in demo model, so I have no opinion of my own: connect a provider for a real answer.'

const openings = ['You wrote', 'You asked me', 'I read', 'Your message says', 'We are at'] as const

const nextSteps = [
  'Branch from here to try another wording without losing this one.',
  'Try again on a new branch and compare the two side by side.',
  'Edit your message: the old version stays as a branch of its own.',
  'Set a checkpoint here, wander off, and come back whenever you like.',
  'Rewind to an earlier message, and I will have forgotten everything after it.',
] as const

function form(question: string, prompt: DemoPrompt, seed: number): string {
  if (/\b(?:code|function|script|program|snippet|typescript|javascript|python)\b/i.test(question))
    return codeBlock(prompt)
  if (/\b(?:table|compare|comparison|versus|vs)\b/i.test(question)) return table(prompt)
  if (/\b(?:list|steps|ideas|bullet|reasons|ways|examples|options)\b/i.test(question)) return list(seed)
  return ''
}

function codeBlock({ messages }: DemoPrompt): string {
  return [
    '```ts',
    '// What I did to answer you.',
    'function readBranch(messages: string[]): string {',
    `  return \`I see \${messages.length} messages\` // ${messages} of them`,
    '}',
    '```',
  ].join('\n')
}

function table({ fromUser, fromAssistant, fragments }: DemoPrompt): string {
  return [
    '| part of the prompt | count |',
    '| --- | ---: |',
    `| messages from you | ${fromUser} |`,
    `| messages from me | ${fromAssistant} |`,
    `| fragments in my instructions | ${fragments.length} |`,
  ].join('\n')
}

function list(seed: number): string {
  const start = seed % nextSteps.length
  return [0, 1, 2].map((offset) => `${offset + 1}. ${pick(nextSteps, start + offset)}`).join('\n')
}

/** The first words of a message, without anything Markdown would take for markup. */
function topicOf(question: string): string {
  const plain = question
    .slice(0, 400)
    .replace(/[`*_~<>[\]|#\\$]/g, ' ')
    .replace(/\s+/g, ' ')
    .trim()
  const words = plain.split(' ')
  const topic = words
    .slice(0, 8)
    .join(' ')
    .slice(0, 80)
    .toWellFormed()
    .replace(/[\s.,;:!?]+$/, '')
  if (topic === '') return 'this'
  return words.length > 8 ? `${topic} …` : topic
}

function pick(from: readonly string[], index: number): string {
  return from[index % from.length] ?? ''
}

/** FNV-1a: the same message gets the same words, on every machine. */
export function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  }
  return value >>> 0
}

/** `1 message`, `2 messages`. */
export function countOf(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}
