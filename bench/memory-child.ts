import { ContextEngine, XmlRenderer } from '@/lib/context'
import { openPostgres } from '@/lib/db/open-postgres'
import { DrizzleContextStore } from '@/lib/store'
import { BENCH_USER, type LoadedChat } from './fixtures/load-chat'
import { heapRise } from './heap-rise'

/** What this process is asked to do, and nothing else: whatever else runs in it would be measured too. */
export interface MemoryTask {
  url: string
  read: 'engine.resolve' | 'getMessageChain'
  /** read first, again and again: modules, statements and compiled code are no part of the figure */
  small: LoadedChat
  chat: LoadedChat
}

const WARMUP = 30

/** Reads a chain and sends its parent the `HeapRise`. */
async function main({ url, read, small, chat }: MemoryTask): Promise<void> {
  const database = await openPostgres({ url, max: 1 })
  const store = new DrizzleContextStore(database)
  const renderer = new XmlRenderer()
  const readChain = async ({ chatId, branchId, headId }: LoadedChat): Promise<unknown[]> => {
    if (read === 'getMessageChain') return store.getMessageChain(chatId, headId)
    const engine = new ContextEngine({ store, chatId, userId: BENCH_USER, branch: branchId })
    return (await engine.resolve({ renderer })).messages
  }
  for (let i = 0; i < WARMUP; i++) await readChain(small)
  process.send?.(await heapRise(() => readChain(chat)))
  await database.close()
  process.disconnect()
}

await main(JSON.parse(process.argv[2] ?? '') as MemoryTask)
