import { defineCommand } from '../command'
import { wholeText } from '../draw/message-text'
import { counted, indented, localTime, plain, whoSpeaks } from '../draw/plain'

export const show = defineCommand({
  name: 'show',
  summary: 'a message whole, with what the model thought and the tools it called',
  usage: ['[REF]'],
  details: 'REF is a branch (its last message), a checkpoint or a message; HEAD unless given.',
  options: {},
  args: { least: 0, most: 1 },
  examples: ['ramify show', 'ramify show HEAD~1', 'ramify show booked'],
  async run({ args: [ref = 'HEAD'], terminal, open }) {
    const session = await open()
    const chat = await session.openChat()
    const node = chat.message(ref)
    const message = await session.readMessage(chat, node)
    const { model, usage, status, error, mergeParent } = message.metadata ?? {}
    terminal.result(message, () => {
      terminal.line(terminal.style('yellow', `message ${node.id}`))
      const facts = [whoSpeaks(node.role), localTime(node.createdAt), ...(model ? [plain(model)] : [])]
      terminal.line(facts.join(', '))
      if (mergeParent) terminal.line(`Merges ${chat.ids.of(mergeParent)}`)
      if (usage?.outputTokens !== undefined) terminal.line(counted(usage.outputTokens, 'token'))
      if (status) terminal.line(`${status}${error ? `: ${plain(error.message)} ${plain(error.advice)}` : ''}`)
      terminal.line()
      terminal.line(indented(wholeText(message)) || '    (no text)')
    })
  },
})
