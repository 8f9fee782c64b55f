import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { copyBody } from '@/testing/worlds/framework'
import { createFront } from '../../../../../lib/runtime/front/front.ts'

test.each([1, 3])(
  'given %d requests whose body the framework has copied, when their client leaves before the answers, then no error is left unheard',
  async (count) => {
    const unheard: unknown[] = []
    const note = (error: unknown) => unheard.push(error)
    process.on('uncaughtException', note)
    const copied = Promise.withResolvers<void>()
    const left = Promise.withResolvers<void>()
    let begun = 0
    const server = createFront(async (request, response) => {
      response.once('close', left.resolve)
      await copyBody(request)
      begun += 1
      if (begun === count) copied.resolve()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
    socket.write('POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}'.repeat(count))
    await copied.promise
    socket.resetAndDestroy()
    await left.promise
    await nextTurn()
    process.off('uncaughtException', note)
    await new Promise((resolve) => server.close(resolve))
    expect(unheard).toEqual([])
  },
)
