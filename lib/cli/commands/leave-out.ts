import { defineCommand } from '../command'
import { tellUndo } from './tell-undo'

export const leaveOut = defineCommand({
  name: 'leave-out',
  summary: 'leaves messages out of the prompt; puts them back',
  usage: ['[--put-back] REF…'],
  details:
    'The next replies on the current branch do not read these messages. The chain keeps them, and a rewind to before brings them back.',
  options: { 'put-back': { type: 'boolean', help: 'put messages back into the prompt' } },
  args: { least: 1, most: 1000 },
  examples: ['ramify leave-out HEAD~3', 'ramify leave-out --put-back HEAD~3'],
  async run({ values, args, terminal, open }) {
    const session = await open()
    const chat = await session.openChat()
    const messages = args.map((ref) => chat.message(ref).id)
    const leftOut = values['put-back'] !== true
    await session.port.move(chat.head.id, { move: 'leave-out', messageIds: messages, leftOut })
    terminal.result({ branch: chat.head.id, messages, left_out: leftOut }, () =>
      terminal.line(
        `${messages.map((id) => chat.ids.of(id)).join(', ')}: ${leftOut ? 'left out of the prompt' : 'back in the prompt'}.`,
      ),
    )
    tellUndo(terminal)
  },
})
