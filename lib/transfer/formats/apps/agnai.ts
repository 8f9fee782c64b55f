import { isRecord, type JsonRecord, listAt, textAt } from '../../json/values'
import { filesAt } from '../../parts/files'
import { textPart } from '../../parts/read-blocks'
import { type Entry, entriesOf } from '../../tree/entries'
import { chainId } from '../../tree/source-node'
import type { ChatContext } from '../format'
import { tableFormat } from '../table'

const keysOfText = ['scenario', 'sampleChat'] as const

/** A chat of Agnai: messages with the name of who speaks, each with its retries. */
export const agnai = tableFormat({
  source: 'agnai',
  program: 'Agnai',
  silent: ['values', 'state', 'json.values', 'name'],
  recognises: (value) =>
    listAt(value, 'messages').some(
      (message) => isRecord(message) && 'msg' in message && ('handle' in message || 'characterId' in message),
    ),
  id: '_id',
  title: ({ name }) => (name === 'Exported' ? undefined : name),
  instructions: (value) => keysOfText.flatMap((key) => textAt(value, key) ?? []).join('\n\n'),
  messages: 'messages',
  entries: entriesIn,
  message: {
    role: 'role',
    createdAt: 'createdAt',
    speaker: ['name', 'handle'],
    isHidden: 'ooc',
    files: (message, context) => filesAt(message, ['files'], context),
    parts: (message) => ({
      parts: [message.msg, ...listAt(message, 'extras')].flatMap((text) =>
        textPart(typeof text === 'string' ? text : ''),
      ),
      answers: [],
    }),
  },
})

/** It exports the chain that is shown. The greeting stands beside it, and is often its first message too. */
function entriesIn(value: JsonRecord, { problems }: ChatContext) {
  const { entries: given, skipped } = entriesOf(value.messages, problems, { children: [] })
  const known = new Set(given.map(({ id }) => id))
  const greeting = textAt(value, 'greeting')
  const isSaid = given.some(({ message }) => textAt(message, 'msg') === greeting)
  const first = { role: 'assistant', msg: greeting }
  const greetingId = greeting === null || isSaid ? null : chainId(null, 'greeting', first)
  const entries: Entry[] = greetingId === null ? [] : [{ id: greetingId, parentId: null, message: first }]
  for (const { id, parentId, message } of given) {
    // messages above the first one are not exported
    const above = parentId !== null && known.has(parentId) ? parentId : greetingId
    const isReply = textAt(message, 'characterId') !== null || textAt(message, 'userId') === null
    const said = { ...message, role: isReply ? 'assistant' : 'user' }
    entries.push({ id, parentId: above, message: said })
    for (const retry of new Set(listAt(message, 'retries')))
      if (typeof retry === 'string' && retry !== message.msg)
        entries.push({
          id: chainId(above, `retry of ${id}`, retry),
          parentId: above,
          message: { ...said, msg: retry, extras: [] },
        })
  }
  return { entries, skipped, current: given.at(-1)?.id ?? null }
}
