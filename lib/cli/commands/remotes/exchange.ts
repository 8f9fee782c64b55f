import type { Exchanged, ExchangeVerb } from '@/lib/protocol'
import { type Command, defineCommand } from '../../command'
import { counted, plain } from '../../draw/plain'
import { CommandError, UsageError } from '../../errors'
import type { Terminal } from '../../terminal'
import { stoppedBy } from '../stopped-by'
import { tellUndo } from '../tell-undo'
import { chosenRemote } from './chosen-remote'
import { standingWords } from './standing-words'

type OfOneChat = Exclude<ExchangeVerb, 'clone'>

/** A command that exchanges the current chat, or one branch of it, with a remote. */
const exchanging = (
  verb: OfOneChat,
  record: Pick<Command, 'summary' | 'usage' | 'details' | 'examples'>,
): Command =>
  defineCommand({
    ...record,
    name: verb,
    options: {},
    args: { least: 0, most: verb === 'fetch' ? 1 : 2 },
    async run({ args: [named, branch], terminal, open }) {
      const session = await open()
      const chat = await session.openChat()
      const remote = await chosenRemote(session, verb, named)
      const known = branch === undefined || verb !== 'push' ? undefined : chat.branch(branch)
      const asked = { remote, chatId: chat.id, branch: known?.name ?? branch }
      const done = await interruptible(terminal, (signal) =>
        session.port.exchange(verb, { ...asked, signal }),
      )
      tell(terminal, verb, done)
      if (verb === 'pull' && done.moved.length > 0) tellUndo(terminal)
    },
  })

export const fetchCommand = exchanging('fetch', {
  summary: 'brings what a remote has of the chat, and moves no branch of yours',
  usage: ['[NAME]'],
  details:
    'NAME is a remote; with one remote it can be left out, with several origin is meant. What was fetched is shown as NAME/branch in `ramify log --all` and `ramify status`.',
  examples: ['ramify fetch', 'ramify fetch work'],
})

export const pull = exchanging('pull', {
  summary: 'brings what a remote has, and moves branches forward that you have not gone on with',
  usage: ['[NAME] [BRANCH]'],
  details:
    'A branch that has gone on on both sides has diverged: it is left as it is, and `ramify merge` brings the two together. Without BRANCH all branches are meant.',
  examples: ['ramify pull', 'ramify pull work main'],
})

export const push = exchanging('push', {
  summary: 'sends a remote what it lacks, and moves its branches forward',
  usage: ['[NAME] [BRANCH]'],
  details:
    'A chat that the remote does not have is made there. A branch that has gone on there is refused, and nothing is sent: pull first. Without BRANCH all branches are meant.',
  examples: ['ramify push', 'ramify push work main'],
})

export const clone = defineCommand({
  name: 'clone',
  summary: 'brings a chat of a remote here, whole, with the same ids',
  usage: ['NAME CHAT'],
  details:
    'CHAT is its id there: the last part of its address, or the address itself. It becomes the current chat.',
  options: {},
  args: { least: 2, most: 2 },
  examples: ['ramify clone work 0198f3c2-7d1e-7a44-b1a7-5a2f0c9f5e61'],
  async run({ args: [named, address = ''], terminal, open }) {
    const session = await open()
    const remote = await chosenRemote(session, 'clone', named)
    const asked = { remote, chatId: chatIn(address) }
    const done = await interruptible(terminal, (signal) =>
      session.port.exchange('clone', { ...asked, signal }),
    )
    session.choose(done.chat_id)
    tell(terminal, 'clone', done)
  },
})

/** The chat in an address of the page, else the text as it is. */
function chatIn(address: string): string {
  if (!address.includes('/')) return address
  const [, id] = /\/c\/([^/?#]+)/.exec(address) ?? []
  if (id === undefined)
    throw new UsageError(
      `“${plain(address)}” is not the address of a chat, like https://ramify.example.org/c/ID.`,
    )
  return decodeURIComponent(id)
}

async function interruptible<T>(terminal: Terminal, work: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const interrupted = new AbortController()
  const stop = terminal.world.onInterrupt(() =>
    interrupted.abort(new CommandError('Stopped. What was received so far is kept; ask again to go on.')),
  )
  try {
    return await stoppedBy(interrupted.signal, work(interrupted.signal))
  } finally {
    stop()
  }
}

function tell(terminal: Terminal, verb: ExchangeVerb, done: Exchanged): void {
  terminal.result(done, () => {
    const { received, moved, branches, advice } = done
    const remote = plain(done.remote)
    if (verb === 'clone') {
      terminal.line(`Cloned chat ${plain(done.chat_id)} from ${remote}: ${counted(received, 'message')}.`)
      return
    }
    if (received > 0) terminal.line(`Received ${counted(received, 'message')} from ${remote}.`)
    const where = verb === 'push' ? ` on ${remote}` : ''
    for (const name of moved) terminal.line(`  ${plain(name)}: moved on${where}`)
    const apart = branches.filter(({ state }) => state !== 'equal' && state !== 'only_here')
    const told = verb === 'push' ? apart.filter(({ behind }) => behind > 0) : apart
    for (const branch of told) terminal.line(`  ${remote}/${plain(branch.name)}: ${standingWords(branch)}`)
    if (received === 0 && moved.length === 0 && told.length === 0)
      terminal.line(`Everything is up to date with ${remote}.`)
    if (advice !== null) terminal.note(plain(advice))
    for (const { source, name } of done.diverged)
      terminal.note(
        terminal.style('dim', `  ramify checkout ${plain(name)} && ramify merge ${plain(source)}`),
      )
  })
}
