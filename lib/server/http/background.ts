import 'server-only'
import { after } from 'next/server'
import { driveDue, driveImport, takeOverRuns } from '@/lib/conversations'
import { getServices, isFunction, logError, type Services } from '@/lib/runtime'

type Titles = Pick<Services['ports']['titles'], 'settled'>

/** Replies one call takes over; the next call finds the rest. */
const MOST_REPLIES = 20
/** Time in ms that one call works on an import: less than hosts let it run. The next call continues it. */
const IMPORT = 240_000

/**
 * The work of a worker, once. Called twice, or by two at once, every waiting reply is taken once. `ended` resolves when the
 * replies are stored, and the import has come as far as one call brings it.
 */
export async function workOnce({ ports, followLog, chores }: Services) {
  await driveDue(ports)
  const { taken, ended: replies } = await takeOverRuns(ports, MOST_REPLIES)
  const [indexed, { events: followed }] = await Promise.all([chores['indexing for search'](), followLog()])
  return { taken, indexed, followed, ended: Promise.all([replies, workOnImport(ports)]) }
}

async function workOnImport(ports: Services['ports']): Promise<void> {
  await (await driveImport(ports, AbortSignal.timeout(IMPORT)))?.ended
}

/**
 * Keeps the process awake until replies are stored, whether or not their readers stay; a function also until their chats
 * have titles.
 */
export function keepAwake({ titles }: { titles: Titles }, ended: Promise<unknown>): void {
  after(() => settled(titles, ended))
}

async function settled(titles: Titles, ended: Promise<unknown>): Promise<void> {
  await ended
  if (isFunction(process.env)) await titles.settled()
}

/**
 * Makes a function, which has no worker, do a worker's tasks after a write: once the write is answered, and
 * before it sleeps.
 */
export function workAfterWrite(): void {
  if (!isFunction(process.env)) return
  after(async () => {
    const services = await getServices()
    try {
      const { ended } = await workOnce(services)
      await settled(services.ports.titles, ended)
    } catch (error) {
      logError('working after a write', error)
    }
  })
}
