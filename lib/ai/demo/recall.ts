import { type Memory, subjectKey, verbs } from './memory'

/** Answers a question about what the user stated earlier, or nothing when it asks about something else. */
export function recall(question: string, memory: Memory): string | undefined {
  if (
    /\bwhat (?:do|can|did) you (?:remember|know about me|recall)\b|\bwhat have I told you\b/i.test(question)
  ) {
    return everything(memory)
  }
  if (/\bwho am I\b/i.test(question)) return known(memory, 'my name') ?? notTold('your name')
  if (/\bhow old am I\b/i.test(question)) return known(memory, 'my age') ?? notTold('your age')
  const own = ownSubject(question)
  if (own !== undefined) {
    // "my dog is called Rex" is a fact about the dog, asked for as "my dog's name".
    return (
      known(memory, `my ${subjectKey(own).replace(/'s name$/, '')}`) ??
      similar(memory, own) ??
      notTold(`your ${own.trim()}`)
    )
  }
  const verb = doing.exec(question)?.[1]?.toLowerCase()
  if (verb !== undefined) return known(memory, `i ${verb}`) ?? notTold(`what you ${verb}`)
  const shared =
    /\b(?:what|what's|who|where|when|which)(?:\s+(?:is|are|was|were))?\s+(?:the|our)\s+([^?.!,\n]{1,60})/i.exec(
      question,
    )?.[1]
  if (shared !== undefined) return known(memory, `the ${subjectKey(shared)}`) ?? similar(memory, shared)
  return undefined
}

const doing = new RegExp(`\\b(?:where|what|who|which|when|how)\\b.{0,60}?\\bdo I (${verbs})\\b`, 'i')

const ownPatterns: readonly RegExp[] = [
  /\b(?:what|what's|whats|what’s|who|who's|where|where's|when|which|how)(?:\s+(?:is|are|was|were))?\s+my\s+([^?.!,\n]{1,60})/i,
  /\b(?:do|can|did) you (?:still )?(?:know|remember|recall|tell me|say)\s+(?:what\s+)?my\s+([^?.!,\n]{1,60})/i,
  /\b(?:tell me|say|repeat|guess)\s+(?:what\s+)?my\s+([^?.!,\n]{1,60})/i,
]

function ownSubject(question: string): string | undefined {
  for (const pattern of ownPatterns) {
    const subject = pattern.exec(question)?.[1]
    // "do you know what my name is" ends in the verb.
    if (subject !== undefined)
      return subject.replace(/\s+(?:is|are|was|again|then|now|called|please)\b.*$/i, '')
  }
  return undefined
}

function known(facts: Memory, subject: string): string | undefined {
  const fact = facts.get(subject)
  return fact && `${fact.sentence}. You told me in message ${fact.position} of this branch.`
}

/** "the number" finds the note "the number 42": the latest fact that shares every word asked for. */
function similar(facts: Memory, asked: string): string | undefined {
  const words = subjectKey(asked)
    .split(' ')
    .filter((word) => word.length > 2)
  if (words.length === 0) return undefined
  const match = [...facts].findLast(([subject, { sentence }]) => {
    const text = ` ${subjectKey(`${subject} ${sentence}`)} `
    return words.every((word) => text.includes(` ${word} `))
  })
  return match && known(facts, match[0])
}

function notTold(what: string): string {
  return `You have not told me ${what} on this branch. I only know what stands in the messages above.`
}

function everything(facts: Memory): string {
  if (facts.size === 0) return 'Nothing yet: you have not told me anything about yourself on this branch.'
  const lines = [...facts.values()].map(({ sentence, position }) => `- ${sentence} (message ${position})`)
  return `This is what you told me on this branch:\n\n${lines.join('\n')}`
}
