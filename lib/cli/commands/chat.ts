import { createInterface } from 'node:readline/promises'
import { text as readAll } from 'node:stream/consumers'
import { newId } from '@/lib/events'
import { defineCommand } from '../command'
import { plain } from '../draw/plain'
import { CommandError, UsageError } from '../errors'
import type { Session } from '../session'
import type { Terminal } from '../terminal'
import { writeReply } from './write-reply'

export const chat = defineCommand({
  name: 'chat',
  summary: 'sends a message and writes the reply as it comes; without TEXT, a conversation',
  usage: ['[-m MODEL] [--new] [--branch BRANCH] [TEXT…]'],
  details:
    'Without a current chat, or with --new, it begins one. Without TEXT it reads standard input, or on a terminal one message after the other until Ctrl-D. Ctrl-C stops a reply; what was written of it stays.',
  options: {
    model: {
      type: 'string',
      short: 'm',
      value: 'MODEL',
      help: 'the model of the reply, as provider:model; the branch remembers it',
    },
    branch: {
      type: 'string',
      short: 'b',
      value: 'BRANCH',
      help: 'the branch to write on; the current one unless given',
    },
    new: { type: 'boolean', help: 'begin a new chat' },
  },
  args: { least: 0, most: Number.POSITIVE_INFINITY },
  examples: [
    'ramify chat "Three days in Lisbon?"',
    'git diff | ramify chat',
    'ramify chat -m openai:gpt-5.5',
  ],
  async run({ values, args, terminal, open }) {
    if (values.new && values.branch !== undefined) throw new UsageError('A new chat has no branch to choose.')
    const given = args.join(' ')
    const isConversation = given === '' && terminal.isInteractive && !terminal.json
    const text = given === '' && !isConversation ? await readAll(terminal.world.stdin) : given
    if (!isConversation && text.trim() === '') throw new UsageError('Say something: TEXT, or standard input.')
    const session = await open()
    const send = await sender(session, terminal, values)
    if (!isConversation) return send(text)
    await converse(terminal, send)
  },
})

type Send = (text: string) => Promise<void>

async function sender(
  session: Session,
  terminal: Terminal,
  asked: { model?: string; branch?: string; new?: boolean },
): Promise<Send> {
  const begins = asked.new || (!session.hasChat && asked.branch === undefined)
  const opened = begins ? undefined : await session.openChat()
  const chatId = opened?.id ?? newId()
  const branch = asked.branch === undefined ? undefined : opened?.branch(asked.branch).id
  let isNew = begins
  return async (text) => {
    const turn = { chatId, branch, message: { id: newId(), text }, model: asked.model }
    const reply = await writeReply(session.port, terminal, turn, () => {
      // the message is stored: from now on the chat exists
      if (isNew) session.choose(chatId)
      isNew = false
    })
    if (reply.failure !== undefined) throw new CommandError(reply.failure)
  }
}

/** One message after the other, until the input ends. A reply that fails does not end the conversation. */
async function converse(terminal: Terminal, send: Send): Promise<void> {
  const { stdin, stdout } = terminal.world
  terminal.note(terminal.style('dim', 'Ctrl-C stops a reply, Ctrl-D ends the conversation.'))
  for (;;) {
    // a reply is written without it: it would take Ctrl-C
    const lines = createInterface({ input: stdin, output: stdout, terminal: true })
    const ended = new AbortController()
    lines.once('close', () => ended.abort())
    lines.once('SIGINT', () => lines.close())
    const said = await lines
      .question(terminal.style('cyan', '> '), { signal: ended.signal })
      .catch((error: unknown) => {
        if (ended.signal.aborted) return undefined
        throw error
      })
    lines.close()
    if (said === undefined) return terminal.note('')
    if (said.trim() === '') continue
    try {
      await send(said)
    } catch (error) {
      if (!(error instanceof Error)) throw error
      terminal.note(plain(error.message))
    }
  }
}
