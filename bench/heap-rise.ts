import { setTimeout as sleep } from 'node:timers/promises'
import { GCProfiler, getHeapStatistics } from 'node:v8'

/** By how many bytes some work raised the process at its peak, over what was there before. */
export interface HeapRise {
  /** V8's heap: objects and strings, garbage included for as long as V8 left it there */
  heap: number
  /** the heap and the buffers outside of it, which is where a driver's bytes arrive; at the peak of both together */
  withBuffers: number
}

/**
 * Does some work and answers how far it raised the heap, exactly and not by sampling: between two collections a heap
 * only grows, so its peak is what V8 itself counted right before one of them, or what is there at the end. Work that
 * never yields is seen like any other. The result is held until the end is counted.
 *
 * What the figure says depends on how soon V8 collects, which is the process's `--max-semi-space-size`.
 *
 * @throws Error without `--expose-gc`: then the heap before is unknown
 */
export async function heapRise(work: () => Promise<unknown>): Promise<HeapRise> {
  await collect()
  const before = atEnd()
  const profiler = new GCProfiler()
  profiler.start()
  const result = await work()
  const sizes = [atEnd()]
  for (const { beforeGC } of profiler.stop().statistics) {
    const { usedHeapSize, externalMemory } = beforeGC.heapStatistics
    sizes.push({ heap: usedHeapSize, withBuffers: usedHeapSize + externalMemory })
  }
  if (result === undefined) throw new Error('The work gave nothing: there is nothing to hold')
  return {
    heap: Math.max(...sizes.map(({ heap }) => heap)) - before.heap,
    withBuffers: Math.max(...sizes.map(({ withBuffers }) => withBuffers)) - before.withBuffers,
  }
}

/** `process.memoryUsage()` says the same; its `arrayBuffers` are among the external ones. */
function atEnd(): HeapRise {
  const { used_heap_size: heap, external_memory: external } = getHeapStatistics()
  return { heap, withBuffers: heap + external }
}

/** Twice, with a pause: buffers are given back in the background, after the collection that let go of them. */
async function collect(): Promise<void> {
  if (!globalThis.gc) throw new Error('Run node with --expose-gc')
  globalThis.gc()
  await sleep(200)
  globalThis.gc()
}
