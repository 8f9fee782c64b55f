import { defineCommand } from '../command'
import { oneLine, plain } from '../draw/plain'
import { CommandError, UsageError } from '../errors'
import { tellUndo } from './tell-undo'

export const tag = defineCommand({
  name: 'tag',
  summary: 'lists checkpoints; saves and removes them',
  usage: ['', 'NAME [REF]', '-d NAME'],
  details: 'A checkpoint is a name for a message: HEAD unless REF is given. A name that exists moves.',
  options: { delete: { type: 'boolean', short: 'd', help: 'remove a checkpoint; its message stays' } },
  args: { least: 0, most: 2 },
  examples: ['ramify tag', 'ramify tag booked', 'ramify tag before-porto HEAD~2'],
  async run({ values, args: [name, ref], terminal, open }) {
    if (values.delete && (name === undefined || ref !== undefined))
      throw new UsageError('Name one checkpoint.')
    const session = await open()
    const chat = await session.openChat()
    const { checkpoints } = chat.graph
    if (name === undefined) {
      const value = checkpoints.map(({ name, messageId, createdAt }) => ({
        name,
        message: messageId,
        created_at: new Date(createdAt).toISOString(),
      }))
      return terminal.result(value, () => {
        for (const { name, messageId } of checkpoints) {
          const said = oneLine(chat.index.byId(messageId)?.preview ?? '', 48)
          terminal.line(
            `${terminal.style('green', plain(name))}  ${terminal.style('yellow', chat.ids.of(messageId))}  ${said}`,
          )
        }
      })
    }
    const known = checkpoints.find((checkpoint) => checkpoint.name === name)
    if (values.delete) {
      if (!known) throw new CommandError(`There is no checkpoint “${plain(name)}” in this chat.`)
      await session.port.move(chat.head.id, { move: 'remove-checkpoint', name })
      terminal.result({ removed: name, message: known.messageId }, () =>
        terminal.line(`Removed checkpoint ${plain(name)}, which was at ${chat.ids.of(known.messageId)}.`),
      )
    } else {
      const node = chat.message(ref ?? 'HEAD')
      await session.port.move(chat.head.id, { move: 'save-checkpoint', messageId: node.id, name })
      const from = known && known.messageId !== node.id ? `, moved from ${chat.ids.of(known.messageId)}` : ''
      terminal.result({ name, message: node.id }, () =>
        terminal.line(`Checkpoint ${plain(name)} is at ${chat.ids.of(node.id)}${from}.`),
      )
    }
    tellUndo(terminal)
  },
})
