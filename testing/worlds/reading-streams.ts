import { OpenStreams } from '@/lib/runtime'
import type { StreamCall } from '@/lib/server/http/streams'
import type { Credential } from '@/lib/store'

/** A process's streams, who reads them, and the credentials that hold no more. */
export function readingStreams({ perPerson = 10, perAddress = 10, everyMs = 5 } = {}) {
  const ended = new Set<string>()
  const streams = new OpenStreams({
    limits: { perPerson, perAddress },
    held: async (credentials: readonly Credential[]) => credentials.filter(({ id }) => !ended.has(id)),
    logError: (what, error) => {
      throw new Error(what, { cause: error })
    },
    everyMs,
  })
  const readBy = (id: string): StreamCall => ({
    request: new Request('http://localhost/api/chat'),
    viewer: { id, name: id, guest: false, credential: { kind: 'key', id } },
    services: { streams },
  })
  return { ended, streams, readBy }
}
