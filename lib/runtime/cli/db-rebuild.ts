import { parseArgs } from 'node:util'
import type { Database } from '@/lib/db'
import {
  adoptLog,
  type Difference,
  followers,
  followLog,
  rebuild,
  recountStored,
  resetFollower,
} from '@/lib/store'
import { countChats, many, runOnDatabase } from './run-command'

// `npm run db:rebuild [-- --chat ID] [--dry] [--search] [--follower NAME]`: sets every ref and read model to the state that
// the log gives; one line for each difference. With `--dry` it changes nothing, and exit code 1 means there are
// differences. With `--search` it indexes every message again. `--follower` replays the log for a follower.
runOnDatabase(async (database) => {
  const { values } = parseArgs({
    options: {
      chat: { type: 'string' },
      dry: { type: 'boolean', default: false },
      search: { type: 'boolean', default: false },
      follower: { type: 'string' },
    },
  })
  if (values.follower === undefined) return rebuildAll(database, values)
  if (values.chat !== undefined || values.dry || values.search) {
    throw new Error('--follower goes alone: it processes the whole log again.')
  }
  return followAgain(database, values.follower)
})

async function rebuildAll(
  database: Database,
  { chat, dry, search }: { chat?: string; dry: boolean; search: boolean },
): Promise<void> {
  await countChats(database, chat)
  if (!dry && (await adoptLog(database, followers))) {
    console.log('The database was restored from another server: its log is followed from the beginning.')
  }
  const start = performance.now()
  const done = await rebuild(database, {
    chatId: chat,
    dry,
    search,
    onDifference: (difference) => console.log(lineOf(difference)),
    onLeft: (chatId, why) => console.log(`chat ${chatId} is left as it is: ${oneLine(why)}`),
  })
  // the size of stored data is counted for persons, not for chats
  const recounted = chat === undefined ? await recountStored(database, { dry }) : []
  for (const person of recounted) console.log(`what ${person} has stored is noted wrong`)
  const seconds = (performance.now() - start) / 1000
  const read = `${many(done.events, 'event')} of ${many(done.chats, 'chat')} in ${seconds.toFixed(1)} s`
  const differences = done.differences + recounted.length
  const found = `${many(differences, 'difference')}${differences > 0 && !dry ? ', set right' : ''}`
  console.log(`${read}: ${found}${done.left > 0 ? `, ${many(done.left, 'chat')} left` : ''}`)
  if (done.left > 0 || (dry && differences > 0)) process.exitCode = 1
}

async function followAgain(database: Database, name: string): Promise<void> {
  const follower = followers.find((one) => one.name === name)
  if (!follower) {
    const names = followers.map((one) => one.name).join(', ')
    throw new Error(`There is no follower "${name}", only ${names}.`)
  }
  await adoptLog(database, followers)
  await resetFollower(database, follower)
  let events = 0
  for (let more = true; more; ) {
    const done = await followLog(database, follower)
    events += done.events
    more = done.more
  }
  console.log(`${name} has taken in ${many(events, 'event')} again.`)
}

const lineOf = ({ chatId, thing, what, is, log }: Difference): string =>
  oneLine(`chat ${chatId}, ${thing}: ${what} is ${is}, the log says ${log}`)

const oneLine = (text: string): string => text.replaceAll(/\s+/g, ' ')
