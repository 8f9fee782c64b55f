import { fork } from 'node:child_process'
import path from 'node:path'
import type { Environment } from '../environment'
import type { LoadedChat } from '../fixtures/load-chat'
import type { HeapRise } from '../heap-rise'
import type { MemoryTask } from '../memory-child'
import { overFloor, type Result } from '../result'
import { atMost, median } from '../statistics'

const bench = 'memory'
const RUNS = 3
const READS = ['engine.resolve', 'getMessageChain'] as const

/** A young generation of 1 MB: V8 collects as soon as there is that much to collect, and the peak is what was needed. */
const PROMPTLY = ['--max-semi-space-size=1']

/**
 * How far reading a whole chain raises the heap, over the bytes of its rows; each time in a process of its own.
 *
 * Twice: with garbage collected promptly, heap and buffers together, which is what has to be there at once; and as V8
 * does by default, where nothing is collected before tens of megabytes are full. There the heap is judged alone: the
 * buffers beside it are garbage of the driver's, who copies every byte that arrives once more.
 */
export async function memory(env: Environment): Promise<Result[]> {
  const { url } = env
  if (url === undefined) return []
  const length = Math.max(...env.lengths)
  const chat = env.chat(length)
  const small = env.chat(Math.min(...env.lengths))
  const against = { name: 'bytes of the rows', value: await bytesOfRows(env, chat) }
  // the target was set at 10,000 messages: a short chain is lost in the young generation
  const target = length >= 10_000 ? { target: atMost(4) } : {}
  const results: Result[] = []
  for (const read of READS) {
    const task = { url, read, small, chat }
    const line = (what: string, ours: number) => ({
      bench,
      what: `${length} messages: ${read}, ${what}`,
      against,
      ours,
      unit: 'bytes' as const,
    })
    const needed = await medianRise(task, PROMPTLY)
    const usual = await medianRise(task, [])
    results.push(
      overFloor({ ...line('collected promptly', needed.withBuffers), ...target }),
      overFloor({ ...line('V8 by default, heap', usual.heap), ...target }),
      overFloor(line('V8 by default, and buffers', usual.withBuffers)),
    )
  }
  return results
}

/** The columns as text, numbers and times as the database holds them: what the rows would be with nothing around them. */
async function bytesOfRows({ database }: Environment, { chatId, length }: LoadedChat): Promise<number> {
  const texts = [
    'id',
    'parent_id',
    'name',
    'type',
    'data::text',
    'status',
    'merge_parent_id',
    'copied_from_id',
  ]
  const lengths = [...texts, 'context_id', 'run_id'].map((column) => `coalesce(octet_length(${column}), 0)`)
  const [row] = await database.query<{ bytes: number; count: number }>(
    // lane and depth of 4 bytes each, the time of 8
    `select sum(4 + 4 + 8 + ${lengths.join(' + ')})::float8 as bytes, count(*)::int as count
    from messages where chat_id = $1`,
    [chatId],
  )
  if (row?.count !== length) throw new Error(`Chat "${chatId}" does not hold its chain and nothing else`)
  return row.bytes
}

async function medianRise(task: MemoryTask, flags: readonly string[]): Promise<HeapRise> {
  const rises: HeapRise[] = []
  for (let run = 0; run < RUNS; run++) rises.push(await riseIn(task, flags))
  return {
    heap: median(rises.map(({ heap }) => heap)),
    withBuffers: median(rises.map(({ withBuffers }) => withBuffers)),
  }
}

/** The rise in a new process, which has the loader of this one and V8's flags besides. */
function riseIn(task: MemoryTask, flags: readonly string[]): Promise<HeapRise> {
  return new Promise((resolve, reject) => {
    let rise: HeapRise | undefined
    const child = fork(path.join(import.meta.dirname, '../memory-child.ts'), [JSON.stringify(task)], {
      execArgv: [...process.execArgv, '--expose-gc', ...flags],
    })
    child.once('message', (message) => {
      rise = message as HeapRise
    })
    child.once('error', reject)
    child.once('exit', (code) => {
      if (rise && code === 0) resolve(rise)
      else reject(new Error(`The process that reads the chain ended with ${code}`))
    })
  })
}
