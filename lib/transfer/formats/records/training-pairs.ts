import { isRecord, type Json, type JsonRecord, listAt, recordAt, textAt } from '../../json/values'
import { MadeEntries } from '../../tree/entries'
import type { ChatContext } from '../format'
import { countTools, plainParts } from '../plain-message'
import { tableFormat } from '../table'

/**
 * Examples that models are trained with: a question with a chosen and a rejected reply, or with one reply. Replies
 * are branches. TRL, OpenAI, Anthropic and LLaMA-Factory write them in ways of their own.
 */
export const trainingPairs = tableFormat({
  source: 'training-pairs',
  program: 'preference pairs',
  silent: ['tools', 'source', 'dataset', 'category'],
  recognises: (value) => repliesIn(value).length > 0,
  id: ['id', 'prompt_id', 'uuid'],
  title: 'title',
  messages: 'messages',
  entries: entriesIn,
  message: { role: ['role', 'from'], model: 'model', parts: plainParts },
})

interface Reply {
  name: string | null
  said: Json
}

function repliesIn(value: JsonRecord): Reply[] {
  const [chosen, rejected] =
    'preferred_output' in value
      ? [value.preferred_output, value.non_preferred_output]
      : [value.chosen, value.rejected]
  if (isSaid(chosen) && isSaid(rejected)) {
    const several = isTexts(rejected) ? rejected : [rejected]
    return [
      { name: 'Chosen', said: chosen },
      ...several.map((said, index) => ({ name: index === 0 ? 'Rejected' : `Rejected ${index + 1}`, said })),
    ]
  }
  const { prompt, completion, instruction, output, label } = value
  if (isSaid(prompt) && isSaid(completion)) {
    const name = label === true ? 'Chosen' : label === false ? 'Rejected' : null
    return [{ name, said: completion }]
  }
  return typeof instruction === 'string' && typeof output === 'string' ? [{ name: null, said: output }] : []
}

const isSaid = (said: Json): boolean => typeof said === 'string' || Array.isArray(said) || isRecord(said)
const isTexts = (said: Json): said is string[] =>
  Array.isArray(said) && said.length > 0 && said.every((text) => typeof text === 'string')

function entriesIn(value: JsonRecord, context: ChatContext) {
  const { problems } = context
  countTools(value, context)
  const made = new MadeEntries()
  const system = textAt(value, 'system')
  const before = [...(system === null ? [] : [{ role: 'system', content: system }]), ...promptOf(value)]
  let skipped = 0
  const heads = repliesIn(value).map(({ name, said }) => {
    const messages = messagesOf(said, 'assistant')
    const [first] = messages
    // a reply that begins with the question is the whole chat
    const isWhole =
      isRecord(first) && !['assistant', 'gpt', 'model'].includes(String(first.role ?? first.from))
    const all = isWhole
      ? [...before.filter(({ role }) => role === 'system' && first.role !== 'system'), ...messages]
      : [...before, ...messages]
    let headId: string | null = null
    for (const message of all) {
      if (isRecord(message)) headId = made.add(headId, { ...message, role: message.role ?? message.from })
      else {
        problems.count('no message')
        skipped += 1
      }
    }
    return { name, headId }
  })
  const branches = heads.flatMap(({ name, headId }) =>
    name === null || headId === null ? [] : [{ name, headId }],
  )
  return { entries: made.entries, skipped, current: heads[0]?.headId ?? null, branches }
}

/** The messages before the replies. */
function promptOf(value: JsonRecord): JsonRecord[] {
  const rounds = listAt(value, 'history').flatMap((round) =>
    Array.isArray(round)
      ? [
          { role: 'user', content: round[0] },
          { role: 'assistant', content: round[1] },
        ]
      : [],
  )
  const asked = [textAt(value, 'instruction') ?? textAt(value, 'question'), textAt(value, 'input')].filter(
    Boolean,
  )
  const given =
    [recordAt(value, 'input').messages, value.prompt, value.conversations, value.messages].find(isSaid) ??
    asked.join('\n\n')
  return [...rounds, ...messagesOf(given, 'user').filter(isRecord)]
}

const turn = /(?:^|\n\n)(Human|Assistant): ?/g

/** Messages of a list, of one, or of a text that may hold the turns of a whole chat. */
function messagesOf(said: Json, role: string): Json[] {
  if (Array.isArray(said)) return said
  if (typeof said !== 'string') return isRecord(said) ? [said] : []
  const turns = [...said.matchAll(turn)]
  if (turns[0]?.index !== 0) return said.trim() === '' ? [] : [{ role, content: said }]
  return turns.flatMap((found, index) => {
    const content = said.slice(found.index + found[0].length, turns[index + 1]?.index)
    return content.trim() === '' ? [] : [{ role: found[1] === 'Human' ? 'user' : 'assistant', content }]
  })
}
