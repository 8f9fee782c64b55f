import { type Command, defineCommand } from '../command'

/** The words of a kind of move, as they follow “Took back:”. */
const words = (move: string): string => move.replaceAll('-', ' ')

const moveBack = (which: 'undo' | 'redo', summary: string): Command =>
  defineCommand({
    name: which,
    summary,
    usage: [''],
    details:
      'Moves are those of branches and checkpoints, merges and changes of a context, made here or in a browser. Messages are never removed.',
    options: {},
    args: { least: 0, most: 0 },
    async run({ terminal, open }) {
      const session = await open()
      const { id, graph } = await session.openChat()
      const { move, thread_id } = await session.port.moveBack(which, id)
      const after = await session.port.readGraph(id)
      const name = (after ?? graph).branches.find((branch) => branch.id === thread_id)?.name ?? thread_id
      terminal.result({ move, branch: { id: thread_id, name } }, () =>
        terminal.line(`${which === 'undo' ? 'Took back' : 'Made again'}: ${words(move)}. On branch ${name}.`),
      )
    },
  })

export const undo = moveBack('undo', 'takes back the last move of the chat')
export const redo = moveBack('redo', 'makes the move again that was taken back last')
