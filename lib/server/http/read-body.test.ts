import { expect, it, vi } from 'vitest'
import { readForm } from '../oauth/answers'
import { refusePageRequest } from './action-request'
import { problemResponse } from './problem'
import { readBody } from './read-body'
import { receiveFile } from './receive-file'

const posted = (headers: Record<string, string>, body: ReadableStream) =>
  new Request('http://localhost', { method: 'POST', headers, body, duplex: 'half' } as RequestInit)

/** A request whose client leaves after some bytes of the body. */
const cutOff = (type: string) => {
  const body = new ReadableStream({
    start: (controller) => controller.enqueue(new TextEncoder().encode('{"a":')),
    pull: (controller) => controller.error(Object.assign(new Error('aborted'), { code: 'ECONNRESET' })),
  })
  return posted({ 'content-type': type }, body)
}

it.each([
  ['JSON', 'application/json', readBody],
  ['a form', 'application/x-www-form-urlencoded', readForm],
] as const)(
  'given a client that leaves in the middle of %s, then its request has ended, and no error is logged',
  async (_, type, read) => {
    const logged = vi.spyOn(console, 'error').mockReturnValue()
    const refused = problemResponse(await read(cutOff(type)).catch((error: unknown) => error))
    expect([refused.status, await refused.json()]).toMatchObject([408, { code: 'request_ended' }])
    expect(logged).not.toHaveBeenCalled()
    logged.mockRestore()
  },
)

it.each([
  ['JSON', 'application/json', readBody],
  ['a form', 'application/x-www-form-urlencoded', readForm],
  [
    'a file',
    'multipart/form-data; boundary=b',
    (request: Request) => receiveFile(request, 1, async () => undefined),
  ],
  [
    'an action',
    'text/plain',
    async (request: Request) => {
      throw await refusePageRequest(request, undefined)
    },
  ],
] as const)(
  'given %s that is announced as too large, then it is refused and not waited for',
  async (_, type, read) => {
    const headers = { 'content-type': type, 'content-length': '99999999999999', 'next-action': '7f' }
    const request = posted(headers, new ReadableStream())
    await expect(read(request)).rejects.toMatchObject({ status: type === 'text/plain' ? 400 : 413 })
  },
)

it('given a body that is refused in its middle, then the connection is left to the answer: the stream is not cancelled', async () => {
  const cancel = vi.fn()
  const pull = (controller: ReadableStreamDefaultController) =>
    controller.enqueue(new TextEncoder().encode('{"a":[1,,'))
  const request = posted({ 'content-type': 'application/json' }, new ReadableStream({ pull, cancel }))
  await expect(readBody(request)).rejects.toMatchObject({ status: 400 })
  expect(cancel).not.toHaveBeenCalled()
})
