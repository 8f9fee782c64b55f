import { branchLines } from '@/lib/graph'
import { defineCommand } from '../command'
import { counted, oneLine, plain } from '../draw/plain'
import { CommandError, UsageError } from '../errors'
import type { OpenChat } from '../refs/open-chat'
import type { Terminal } from '../terminal'
import { tellUndo } from './tell-undo'

export const branch = defineCommand({
  name: 'branch',
  summary: 'lists branches; opens, renames and archives them',
  usage: ['[-a]', 'NAME [REF]', '-m [OLD] NEW', '-d NAME', '--unarchive NAME'],
  details:
    'NAME opens a branch at REF, or HEAD; the chat stays on the current one. An archived branch is hidden, and nothing on it is lost.',
  options: {
    all: { type: 'boolean', short: 'a', help: 'list archived branches too' },
    move: { type: 'boolean', short: 'm', help: 'rename a branch; the current one unless OLD is given' },
    delete: { type: 'boolean', short: 'd', help: 'archive a branch' },
    unarchive: { type: 'boolean', help: 'show an archived branch again' },
  },
  args: { least: 0, most: 2 },
  examples: ['ramify branch', 'ramify branch porto HEAD~2', 'ramify branch -m main-v2 vegetarian'],
  async run({ values, args, terminal, open }) {
    const act = (['move', 'delete', 'unarchive'] as const).filter((name) => values[name])
    if (act.length > 1) throw new UsageError('-m, -d and --unarchive exclude each other.')
    const [first, second] = args
    if (act.length > 0 && first === undefined) throw new UsageError('Name a branch.')
    if ((values.delete || values.unarchive) && second !== undefined) throw new UsageError('Name one branch.')
    const session = await open()
    const { port } = session
    const chat = await session.openChat()
    if (first === undefined) return list(terminal, chat, values.all)
    if (values.move) {
      const renamed = second === undefined ? chat.head : chat.branch(first)
      await port.move(renamed.id, { move: 'rename', name: second ?? first })
      terminal.result({ branch: renamed.id, name: second ?? first }, () =>
        terminal.line(`${plain(renamed.name)} is called ${plain(second ?? first)} now.`),
      )
    } else if (values.delete || values.unarchive) {
      const { id, name } = chat.branch(first)
      if (values.delete && id === chat.head.id) {
        throw new CommandError(`The chat opens on ${plain(name)}: check out another branch first.`)
      }
      await port.move(id, { move: values.delete ? 'archive' : 'unarchive' })
      terminal.result({ branch: id, name, archived: values.delete === true }, () =>
        terminal.line(`${plain(name)} is ${values.delete ? 'archived' : 'shown again'}.`),
      )
    } else {
      const node = chat.message(second ?? 'HEAD')
      const asked = { move: 'rewind', messageId: node.id, name: first, activate: false } as const
      const opened = await port.move(chat.head.id, asked)
      terminal.result({ branch: opened.thread_id, name: first, message: node.id }, () =>
        terminal.line(`Opened ${plain(first)} at ${chat.ids.of(node.id)}.`),
      )
    }
    tellUndo(terminal)
  },
})

function list(terminal: Terminal, chat: OpenChat, all = false): void {
  const lines = branchLines(chat.index).filter((line) => all || line.archivedAt === null)
  const heads = new Map(chat.graph.branches.map(({ id, headId }) => [id, headId]))
  const value = lines.map(({ id, name, title, count, archivedAt }) => ({
    id,
    name,
    title,
    current: id === chat.head.id,
    messages: count,
    head: heads.get(id) ?? null,
    archived: archivedAt !== null,
  }))
  const width = Math.max(...lines.map(({ name }) => plain(name).length))
  terminal.result(value, () => {
    for (const { id, name, title, count, archivedAt } of lines) {
      const isCurrent = id === chat.head.id
      const padded = plain(name).padEnd(width)
      const head = heads.get(id)
      const facts = [
        head ? terminal.style('yellow', chat.ids.of(head)) : 'empty',
        counted(count, 'message'),
        ...(title === name ? [] : [oneLine(title, 48)]),
        ...(archivedAt === null ? [] : ['archived']),
      ]
      terminal.line(
        `${isCurrent ? '* ' : '  '}${isCurrent ? terminal.style('green', padded) : padded}  ${facts.join(', ')}`,
      )
    }
  })
}
