import { z } from 'zod'

/** Bytes a server holds after a garbage collection. */
export interface Memory {
  /** of JavaScript, buffers included */
  held: number
  /** of the process, as the system counts it */
  resident: number
}

const targets = z.array(z.object({ webSocketDebuggerUrl: z.string() })).min(1)
const usage = z.object({
  result: z.object({
    result: z.object({ value: z.object({ rss: z.number(), heapUsed: z.number(), external: z.number() }) }),
  }),
})

/** Where a server can be asked for its memory. Opens nothing; `env` has to be the server's. */
export class ServerMemory {
  constructor(private readonly port: number) {}

  /** The environment that the server's process needs: the inspector, on this machine only. */
  get env(): Record<string, string> {
    return { NODE_OPTIONS: `--inspect=127.0.0.1:${this.port}` }
  }

  /**
   * Collects the server's garbage and returns the memory left.
   *
   * @param collections two of them to collect what finalizers of the first have released, too
   */
  async read(collections = 1): Promise<Memory> {
    const found = targets.parse(await (await fetch(`http://127.0.0.1:${this.port}/json/list`)).json())
    const socket = new WebSocket(found[0]?.webSocketDebuggerUrl ?? '')
    try {
      await new Promise((resolve, reject) => {
        socket.addEventListener('open', resolve, { once: true })
        socket.addEventListener('error', reject, { once: true })
      })
      for (let round = 0; round < collections; round++) await call(socket, 'HeapProfiler.collectGarbage')
      const answer = usage.parse(
        await call(socket, 'Runtime.evaluate', { expression: 'process.memoryUsage()', returnByValue: true }),
      )
      const { rss, heapUsed, external } = answer.result.result.value
      return { held: heapUsed + external, resident: rss }
    } finally {
      socket.close()
    }
  }
}

let calls = 0

function call(socket: WebSocket, method: string, params: object = {}): Promise<unknown> {
  const id = ++calls
  return new Promise((resolve) => {
    const hear = ({ data }: MessageEvent) => {
      const answer = JSON.parse(String(data)) as { id?: number }
      if (answer.id !== id) return
      socket.removeEventListener('message', hear)
      resolve(answer)
    }
    socket.addEventListener('message', hear)
    socket.send(JSON.stringify({ id, method, params }))
  })
}
