import { defineCommand } from '../../command'
import { oneLine, plain } from '../../draw/plain'
import { readRemoteStates } from './read-remote-states'
import { standingWords } from './standing-words'

export const status = defineCommand({
  name: 'status',
  summary: 'the current chat and branch, and how its branches stand to those of remotes',
  usage: [''],
  details: 'It tells what was known after the last fetch, pull or push: no server is asked.',
  options: {},
  args: { least: 0, most: 0 },
  async run({ terminal, open }) {
    const session = await open()
    const chat = await session.openChat()
    const remotes = await readRemoteStates(session.port, chat.id)
    const value = {
      chat: chat.id,
      title: chat.graph.title,
      branch: chat.head.name,
      head: chat.head.headId,
      remotes,
    }
    terminal.result(value, () => {
      terminal.line(`On branch ${chat.called(chat.head)} of ${oneLine(chat.graph.title ?? 'Untitled')}`)
      for (const { remote, branches } of remotes) {
        if (branches.every(({ state }) => state === 'only_here')) {
          terminal.note(
            `The chat is not on ${plain(remote)} yet: ramify push ${plain(remote)} sends it there.`,
          )
          continue
        }
        for (const branch of branches)
          terminal.line(`  ${plain(remote)}/${plain(branch.name)}: ${standingWords(branch)}`)
      }
    })
  },
})
