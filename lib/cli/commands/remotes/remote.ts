import { text } from 'node:stream/consumers'
import { newRemote } from '@/lib/protocol/remotes/remotes'
import { defineCommand } from '../../command'
import { plain } from '../../draw/plain'
import { UsageError } from '../../errors'

export const remote = defineCommand({
  name: 'remote',
  summary: 'lists other servers to exchange chats with; adds and removes them',
  usage: ['', 'add NAME URL [--key KEY]', 'remove NAME'],
  details:
    'A remote is another Ramify server. It is asked once whether it takes the key, which is made there, under Settings, API keys. Its branches are shown as NAME/branch. With --key - the key is read from standard input, and stays out of the history of the shell.',
  options: {
    key: {
      type: 'string',
      value: 'KEY',
      help: 'an API key of the other server; - reads it from standard input',
    },
  },
  args: { least: 0, most: 3 },
  examples: [
    'ramify remote add work https://ramify.example.org --key -',
    'ramify remote',
    'ramify remote remove work',
  ],
  async run({ values, args: [act, name, url], terminal, open }) {
    const isAdding = act === 'add'
    if (act !== undefined && !isAdding && !removing.has(act))
      throw new UsageError(`ramify remote knows add and remove, not “${plain(act)}”.`)
    if (act !== undefined && name === undefined) throw new UsageError('Name a remote.')
    if (isAdding && url === undefined)
      throw new UsageError('Give its address: ramify remote add NAME URL --key KEY.')
    if (!isAdding && (url !== undefined || values.key !== undefined))
      throw new UsageError('An address and a key are for ramify remote add.')
    if (isAdding && name !== undefined && url !== undefined) {
      const key = values.key === '-' ? (await text(terminal.world.stdin)).trim() : values.key
      const given = newRemote.safeParse({ name, url, key })
      if (!given.success)
        throw new UsageError(plain(given.error.issues[0]?.message ?? 'Give a name and an address.'))
      const { port } = await open()
      const added = await port.addRemote({
        name: given.data.name,
        url: given.data.url,
        key: given.data.key || undefined,
      })
      return terminal.result(added, () => {
        terminal.line(`Added ${plain(added.name)}, ${plain(added.url)}.`)
        if (!added.writes) terminal.note('Its key may only read: pull works, push will be refused.')
      })
    }
    const { port } = await open()
    if (name !== undefined) {
      await port.removeRemote(name)
      return terminal.result({ name, removed: true }, () => terminal.line(`Removed ${plain(name)}.`))
    }
    const remotes = await port.listRemotes()
    terminal.result(remotes, () => {
      if (remotes.length === 0)
        terminal.note('There is no remote yet. Add one: ramify remote add NAME URL --key KEY')
      const width = Math.max(0, ...remotes.map((one) => one.name.length))
      for (const one of remotes) {
        const facts = [plain(one.url), ...(one.readable ? [] : ['its key cannot be read: add it again'])]
        terminal.line(`${plain(one.name).padEnd(width)}  ${facts.join(', ')}`)
      }
    })
  },
})

/** Git takes both. */
const removing: ReadonlySet<string> = new Set(['remove', 'rm'])
