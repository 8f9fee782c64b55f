import type { ChatSummary } from '@/lib/protocol'
import { defineCommand } from '../command'
import { counted, localTime, oneLine } from '../draw/plain'
import { ShortIds } from '../refs/short-ids'
import type { Session } from '../session'
import type { Terminal } from '../terminal'

export const chats = defineCommand({
  name: 'chats',
  summary: 'the chats, pinned ones first, then the latest',
  usage: ['[--archived]'],
  options: { archived: { type: 'boolean', help: 'the archived chats instead' } },
  args: { least: 0, most: 0 },
  async run({ values, terminal, open }) {
    await writeChats(await open(), terminal, values)
  },
})

/** Writes the chats, the current one marked. */
export async function writeChats(
  session: Session,
  terminal: Terminal,
  { archived, most }: { archived?: boolean | undefined; most?: number | undefined } = {},
): Promise<void> {
  const found: ChatSummary[] = []
  for await (const chat of session.chats(archived)) {
    found.push(chat)
    if (found.length === most) break
  }
  const ids = new ShortIds(found.map(({ id }) => id))
  const value = found.map(({ id, title, createdAt, updatedAt, messageCount, branchCount, tags }) => ({
    id,
    title,
    tags,
    current: id === session.current,
    created_at: new Date(createdAt).toISOString(),
    updated_at: new Date(updatedAt).toISOString(),
    messages: messageCount,
    branches: branchCount,
  }))
  terminal.result(value, () => {
    if (found.length === 0) {
      terminal.note(
        archived
          ? 'No chat is archived.'
          : `There is no chat in ${session.port.place} yet: \`ramify chat TEXT\` begins one, \`ramify import FILE\` brings some in.`,
      )
    }
    for (const { id, title, updatedAt, messageCount, branchCount } of found) {
      const isCurrent = id === session.current
      const name = oneLine(title ?? 'Untitled', 60)
      const size = `${counted(messageCount, 'message')} on ${branchCount === 1 ? '1 branch' : `${branchCount} branches`}`
      const facts = terminal.style('dim', `${localTime(updatedAt)}, ${size}`)
      terminal.line(
        `${isCurrent ? '* ' : '  '}${terminal.style('yellow', ids.of(id))}  ${isCurrent ? terminal.style('green', name) : name}  ${facts}`,
      )
    }
  })
}
