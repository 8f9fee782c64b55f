import { type Command, defineCommand } from '../command'

const moveBack = (which: 'undo' | 'redo', summary: string): Command =>
  defineCommand({
    name: which,
    summary,
    usage: [''],
    details:
      'A move is what changes where branches and checkpoints stand: a switch, a merge, a pick, a change of a context and the like, made here or in a browser. Messages are never removed.',
    options: {},
    args: { least: 0, most: 0 },
    async run({ terminal, open }) {
      const session = await open()
      const { id, graph } = await session.openChat()
      const { move, says, thread_id } = await session.port.moveBack(which, id)
      const after = await session.port.readGraph(id)
      const name = (after ?? graph).branches.find((branch) => branch.id === thread_id)?.name ?? thread_id
      terminal.result({ move, says, branch: { id: thread_id, name } }, () =>
        terminal.line(`${which === 'undo' ? 'Took back' : 'Made again'}: ${says}. On branch ${name}.`),
      )
    },
  })

export const undo = moveBack('undo', 'takes back the last move of the chat')
export const redo = moveBack('redo', 'makes the move again that was taken back last')
