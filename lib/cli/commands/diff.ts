import { alignTurns, turnsOf } from '@/lib/graph/diff/align-turns'
import type { ChatMessage, Graph } from '@/lib/protocol'
import { defineCommand } from '../command'
import { diffLines, onlyLines } from '../draw/draw-diff'
import { spokenText } from '../draw/message-text'
import { counted, plain, whoSpeaks } from '../draw/plain'
import type { OpenChat } from '../refs/open-chat'
import type { Session } from '../session'
import type { Terminal } from '../terminal'

type Node = Graph['nodes'][number]

export const diff = defineCommand({
  name: 'diff',
  summary: 'what differs between two branches, turn by turn, or between two messages',
  usage: ['A [B]'],
  details:
    'Of two branches, the turns below the last message that both have. Of anything else, the words of the two messages. With one REF, it is compared with HEAD. Lines that begin with - are of A alone, with + of B.',
  options: {},
  args: { least: 1, most: 2 },
  examples: ['ramify diff main main-v2', 'ramify diff HEAD~2 HEAD'],
  async run({ args, terminal, open }) {
    const [a = 'HEAD', b = 'HEAD'] = args.length === 1 ? ['HEAD', ...args] : args
    const session = await open()
    const chat = await session.openChat()
    const [one, other] = [chat.resolve(a), chat.resolve(b)]
    const [left, right] = [chat.message(a), chat.message(b)]
    if (one.branch && other.branch) await branches(session, chat, terminal, { a, b, left, right })
    else await messages(session, chat, terminal, { left, right })
  },
})

interface Sides {
  left: Node
  right: Node
}

async function messages(session: Session, chat: OpenChat, terminal: Terminal, { left, right }: Sides) {
  const [one, other] = await Promise.all([session.readMessage(chat, left), session.readMessage(chat, right)])
  const texts = { left: spokenText(one), right: spokenText(other) }
  const isSame = texts.left === texts.right
  const side = (node: Node, text: string) => ({ message: node.id, role: node.role, text })
  terminal.result({ same: isSame, left: side(left, texts.left), right: side(right, texts.right) }, () => {
    if (isSame) return terminal.note('Both say the same.')
    heading(terminal, chat, left, right)
    for (const line of diffLines(terminal, texts.left, texts.right)) terminal.line(line)
  })
}

async function branches(
  session: Session,
  chat: OpenChat,
  terminal: Terminal,
  { a, b, left, right }: Sides & { a: string; b: string },
) {
  const shared = chat.index.commonAncestor(left.id, right.id)
  const common = shared ? shared.depth + 1 : 0
  const [one, other] = await Promise.all([
    session.readBranch(chat, chat.branch(a), common),
    session.readBranch(chat, chat.branch(b), common),
  ])
  const reading = { isQuestion: ({ role }: ChatMessage) => role === 'user', textOf: spokenText }
  const pairs = alignTurns(turnsOf(one, reading), turnsOf(other, reading), reading).map((pair) => {
    const of = (turn: typeof pair.left) =>
      turn ? [turn.question, ...turn.replies].filter((it) => it !== null) : []
    return { left: of(pair.left), right: of(pair.right) }
  })
  const short = (message: ChatMessage) => ({
    message: message.id,
    role: message.role,
    text: spokenText(message),
  })
  const value = {
    common,
    turns: pairs.map((pair) => ({ left: pair.left.map(short), right: pair.right.map(short) })),
  }
  terminal.result(value, () => {
    terminal.line(terminal.style('bold', `diff ${plain(a)} ${plain(b)}`))
    terminal.line(`${counted(common, 'message')} in common`)
    if (pairs.length === 0) terminal.note('They stand at the same message.')
    for (const pair of pairs) {
      for (let at = 0; at < Math.max(pair.left.length, pair.right.length); at += 1) {
        told(terminal, chat, pair.left[at], pair.right[at])
      }
    }
  })
}

/** Two messages side by side, or a message of one side alone. */
function told(terminal: Terminal, chat: OpenChat, left?: ChatMessage, right?: ChatMessage): void {
  const [one, other] = [left && chat.index.byId(left.id), right && chat.index.byId(right.id)]
  heading(terminal, chat, one, other)
  const lines =
    left && right
      ? diffLines(terminal, spokenText(left), spokenText(right))
      : [
          ...(left ? onlyLines(terminal, '-', spokenText(left)) : []),
          ...(right ? onlyLines(terminal, '+', spokenText(right)) : []),
        ]
  for (const line of lines) terminal.line(line)
}

function heading(terminal: Terminal, chat: OpenChat, left?: Node, right?: Node): void {
  const roles = [...new Set([left, right].flatMap((node) => (node ? [whoSpeaks(node.role)] : [])))].join(
    ' and ',
  )
  const ids = [left ? `-${chat.ids.of(left.id)}` : '', right ? `+${chat.ids.of(right.id)}` : '']
  terminal.line()
  terminal.line(terminal.style('cyan', `@@ ${roles} ${ids.filter(Boolean).join(' ')} @@`))
}
