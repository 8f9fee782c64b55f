import { defineCommand } from '../command'
import { oneLine, plain } from '../draw/plain'
import { CommandError, UsageError } from '../errors'
import { type NamedPlace, OpenChat } from '../refs/open-chat'
import type { Session } from '../session'
import type { Terminal } from '../terminal'
import { tellUndo } from './tell-undo'

export const checkout = defineCommand({
  name: 'checkout',
  summary: 'chooses a chat, switches to a branch, or goes back to a message or a checkpoint',
  usage: ['CHAT', '[CHAT:]REF', '-b NAME [REF]'],
  details:
    'The current chat is remembered for this folder or server. The current branch is the one the chat opens on, in a browser too. Going back opens a branch there; the one that is left stays as it is.',
  options: {
    branch: { type: 'string', short: 'b', value: 'NAME', help: 'open a branch of this name at REF' },
  },
  args: { least: 0, most: 1 },
  examples: ['ramify checkout trip', 'ramify checkout main-v2', 'ramify checkout -b porto HEAD~2'],
  async run({ values, args: [asked], terminal, open }) {
    if (asked === undefined && values.branch === undefined)
      throw new UsageError('Name a chat, or a place in it.')
    const session = await open()
    const { chat, ref } = await meant(session, asked, values.branch !== undefined)
    session.choose(chat.id)
    if (values.branch !== undefined) {
      const node = chat.message(ref ?? 'HEAD')
      const move = { move: 'rewind', messageId: node.id, name: values.branch } as const
      await session.port.move(chat.head.id, move)
    } else if (ref !== undefined) {
      const isThere = await goTo(session, chat, chat.resolve(ref))
      if (isThere) return tell(terminal, chat, 'Already on')
    } else {
      return tell(terminal, chat, `Chat ${oneLine(chat.graph.title ?? 'Untitled')}, on`)
    }
    const graph = await session.port.readGraph(chat.id)
    if (!graph) throw new CommandError(`The chat ${plain(chat.id)} is gone.`)
    tell(terminal, new OpenChat(graph), 'On')
    tellUndo(terminal)
  },
})

/** The chat that is meant, and the place in it: a place in the current chat counts before a chat of that name. */
async function meant(
  session: Session,
  asked: string | undefined,
  isRef: boolean,
): Promise<{ chat: OpenChat; ref?: string | undefined }> {
  if (asked === undefined) return { chat: await session.openChat() }
  const chat = session.hasChat ? await session.openChat() : undefined
  const unknown = chat && refusalOf(() => chat.resolve(asked))
  if (chat && !unknown) return { chat, ref: asked }
  const colon = asked.indexOf(':')
  if (colon > 0) {
    return { chat: await session.findChat(asked.slice(0, colon)), ref: asked.slice(colon + 1) || undefined }
  }
  if (unknown && isRef) throw unknown
  try {
    return { chat: await session.findChat(asked) }
  } catch (error) {
    throw unknown && error instanceof CommandError ? unknown : error
  }
}

function refusalOf(resolve: () => unknown): CommandError | undefined {
  try {
    resolve()
    return undefined
  } catch (error) {
    if (error instanceof CommandError) return error
    throw error
  }
}

/** @returns true when the chat stands there already */
async function goTo({ port }: Session, chat: OpenChat, place: NamedPlace): Promise<boolean> {
  if (place.branch) {
    if (place.branch.id === chat.head.id) return true
    if (place.branch.archivedAt !== null) {
      throw new CommandError(
        `${plain(place.branch.name)} is archived: show it again first, with ramify branch --unarchive ${plain(place.branch.name)}.`,
      )
    }
    await port.move(place.branch.id, { move: 'switch' })
  } else if (place.checkpoint) {
    await port.move(chat.head.id, { move: 'restore-checkpoint', name: place.checkpoint.name })
  } else if (place.node) {
    await port.move(chat.head.id, { move: 'rewind', messageId: place.node.id })
  }
  return false
}

function tell(terminal: Terminal, chat: OpenChat, how: string): void {
  const { id, name, headId } = chat.head
  const node = headId === null ? undefined : chat.index.byId(headId)
  terminal.result({ chat: chat.id, title: chat.graph.title, branch: { id, name }, head: headId }, () =>
    terminal.line(
      `${how} branch ${chat.called(chat.head)}${node ? `, at ${chat.ids.of(node.id)} ${oneLine(node.preview, 48)}` : ', which is empty'}`,
    ),
  )
}
