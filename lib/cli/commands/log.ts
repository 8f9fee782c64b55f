import type { Graph } from '@/lib/protocol'
import type { ChatsPort } from '../backs/chats-port'
import { defineCommand } from '../command'
import { drawLanes, newestFirst } from '../draw/draw-lanes'
import { indented, localTime, oneLine, plain, whoSpeaks } from '../draw/plain'
import { UsageError } from '../errors'
import type { OpenChat } from '../refs/open-chat'
import type { Terminal } from '../terminal'
import { writeChats } from './chats'
import { readRemoteStates } from './remotes/read-remote-states'

type Node = Graph['nodes'][number]

/** A message as it is listed, with the branches of remotes that stand at it. */
type LoggedNode = Node & { remotes: readonly string[] }

type RemoteHead = { name: string; headId: string | null }

export const log = defineCommand({
  name: 'log',
  summary: 'the messages of a branch, newest first; without a current chat, the chats',
  usage: ['[--oneline] [--graph] [--all] [-n COUNT] [REF]'],
  details:
    'REF is a branch, a checkpoint or a message; HEAD unless given. With --graph, what was merged is drawn too. Long texts are cut: `ramify show` has them whole.',
  options: {
    oneline: { type: 'boolean', help: 'one line for each message' },
    graph: { type: 'boolean', help: 'draw the lines along which the messages follow each other' },
    all: {
      type: 'boolean',
      help: 'the messages of all branches that are not archived, and of those of remotes',
    },
    archived: { type: 'boolean', help: 'with --all: archived branches too' },
    number: { type: 'string', short: 'n', value: 'COUNT', help: 'so many messages at most' },
  },
  args: { least: 0, most: 1 },
  examples: ['ramify log --graph --oneline --all', 'ramify log -n 2 main-v2'],
  async run({ values, args: [ref], terminal, open }) {
    const most = countOf(values.number)
    const session = await open()
    if (!session.hasChat && ref === undefined) return writeChats(session, terminal, { most })
    const chat = await session.openChat()
    const remotes = values.all ? await remoteHeads(session.port, chat.id) : []
    const shown = newestFirst(
      shownNodes(chat, { ...values, ref, remotes }).map((node) => ({
        ...node,
        parents: parentsOf(chat, node, values.graph),
        remotes: remotes.flatMap(({ name, headId }) => (headId === node.id ? [name] : [])),
      })),
    ).slice(0, most)
    terminal.result(
      shown.map((node) => entryOf(chat, node)),
      () => {
        if (shown.length === 0) return terminal.note(`Branch ${chat.called(chat.head)} has no message yet.`)
        const rows = values.graph ? drawLanes(shown) : shown.map((message) => ({ message, ...noLanes }))
        for (const [at, { message, before, row, beside }] of rows.entries()) {
          for (const line of before) terminal.line(line)
          const lanes = { row: row === '' ? '' : `${row} `, beside: row === '' ? '' : `${beside} ` }
          if (values.oneline) terminal.line(`${lanes.row}${shortLine(terminal, chat, message)}`)
          else wholeEntry(terminal, chat, message, lanes, at === rows.length - 1)
        }
      },
    )
  },
})

/** The heads of the branches of remotes, as `remote/branch`. */
async function remoteHeads(port: ChatsPort, chatId: string): Promise<RemoteHead[]> {
  return (await readRemoteStates(port, chatId)).flatMap(({ remote, branches }) =>
    branches.map(({ name, remote_head_message_id: headId }) => ({ name: `${remote}/${name}`, headId })),
  )
}

const noLanes = { before: [] as string[], row: '', beside: '' }

function countOf(number: string | undefined): number | undefined {
  if (number === undefined) return undefined
  if (!/^[1-9]\d{0,8}$/.test(number))
    throw new UsageError(`-n takes a number of messages, not “${plain(number)}”.`)
  return Number(number)
}

interface Shown {
  ref: string | undefined
  remotes: readonly RemoteHead[]
  all?: boolean
  archived?: boolean
  graph?: boolean
}

function shownNodes(chat: OpenChat, { ref, remotes, all, archived, graph }: Shown): Node[] {
  const tips = all
    ? chat.graph.branches
        .filter((branch) => archived || branch.archivedAt === null)
        .map(({ headId }) => headId)
    : [(ref === undefined ? chat.resolve('HEAD') : chat.resolve(ref)).node?.id ?? null]
  const found = new Map<string, Node>()
  const open = [...tips, ...remotes.map(({ headId }) => headId)].filter(
    (id): id is string => id !== null && chat.index.byId(id) !== undefined,
  )
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    for (const node of chat.index.chainTo(id).reverse()) {
      if (found.has(node.id)) break
      found.set(node.id, node)
      if (graph && node.mergeParentId !== undefined) open.push(node.mergeParentId)
    }
  }
  return [...found.values()]
}

function parentsOf({ index }: OpenChat, node: Node, graph: boolean | undefined): string[] {
  const parent = index.parentOf(node.id)
  const merged = graph ? node.mergeParentId : undefined
  return [...(parent ? [parent.id] : []), ...(merged === undefined ? [] : [merged])]
}

/** Branches and checkpoints at a message, the branch that the chat opens on first. */
function standingAt(chat: OpenChat, node: Node) {
  const { branches, checkpoints } = chat.graph
  return {
    branches: branches
      .filter(({ headId, archivedAt }) => headId === node.id && archivedAt === null)
      .sort((a, b) => Number(b.id === chat.head.id) - Number(a.id === chat.head.id)),
    checkpoints: checkpoints.filter(({ messageId }) => messageId === node.id),
  }
}

function labelsOf(terminal: Terminal, chat: OpenChat, node: LoggedNode): string {
  const { branches, checkpoints } = standingAt(chat, node)
  const labels = [
    ...branches.map((branch) => {
      const name = terminal.style('green', plain(branch.name))
      return branch.id === chat.head.id ? `${terminal.style('cyan', 'HEAD ->')} ${name}` : name
    }),
    ...node.remotes.map((name) => terminal.style('red', plain(name))),
    ...checkpoints.map(({ name }) => terminal.style('yellow', `tag: ${plain(name)}`)),
  ]
  return labels.length === 0 ? '' : ` (${labels.join(', ')})`
}

const shortLine = (terminal: Terminal, chat: OpenChat, node: LoggedNode): string =>
  `${terminal.style('yellow', chat.ids.of(node.id))}${labelsOf(terminal, chat, node)} ${saying(node)}`

/** Author and text of a message. */
const saying = (node: Node): string => {
  const ended = node.status === 'done' ? '' : ` [${node.status}]`
  return `${whoSpeaks(node.role)}: ${oneLine(node.preview)}${ended}`
}

function wholeEntry(
  terminal: Terminal,
  chat: OpenChat,
  node: LoggedNode,
  lanes: { row: string; beside: string },
  isLast: boolean,
): void {
  const lines = [
    `${terminal.style('yellow', `message ${chat.ids.of(node.id)}`)}${labelsOf(terminal, chat, node)}`,
    `${whoSpeaks(node.role)}, ${localTime(node.createdAt)}${node.status === 'done' ? '' : `, ${node.status}`}`,
    '',
    ...indented(plain(node.preview).trim() || '(no text)').split('\n'),
    ...(isLast ? [] : ['']),
  ]
  for (const [at, line] of lines.entries()) {
    terminal.line(`${at === 0 ? lanes.row : lanes.beside}${line}`.trimEnd())
  }
}

function entryOf(chat: OpenChat, node: LoggedNode & { parents: readonly string[] }) {
  const { branches, checkpoints } = standingAt(chat, node)
  return {
    id: node.id,
    role: node.role,
    at: new Date(node.createdAt).toISOString(),
    status: node.status,
    preview: node.preview,
    parents: node.parents,
    branches: branches.map(({ name }) => name),
    remotes: node.remotes,
    checkpoints: checkpoints.map(({ name }) => name),
    head: branches.some(({ id }) => id === chat.head.id),
  }
}
