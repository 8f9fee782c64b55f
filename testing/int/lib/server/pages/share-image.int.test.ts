import { expect, it, vi } from 'vitest'
import { makeShare } from '@/lib/conversations'
import { sharingPorts } from '@/lib/server/api/shares'
import { shareImage } from '@/lib/server/pages/share-image'
import { useApi } from '@/testing/worlds/api-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'
import { storedChat } from '@/testing/worlds/stored-chat'

onOneDatabase('the picture of a link', ({ name }) => {
  const api = useApi(name)

  /** The picture of a chat with one message, by its title. */
  const pictureOf = async (title: string): Promise<string> => {
    const { services } = api
    const { chatId, ownerId, main, say } = await storedChat(services.store, (await api.person()).id, {
      title,
    })
    await say(main, null, ['Hello'])
    const made = await makeShare(sharingPorts(services, services.ports), {
      ownerId,
      chatId,
      branch: main,
      withGraph: false,
      follows: false,
    })
    const token = 'token' in made ? made.token : ''
    const request = new Request(`http://localhost:3000/s/${token}/opengraph-image`)
    const response = await shareImage(request, { params: Promise.resolve({ token }) })
    expect([response.status, response.headers.get('content-type')]).toEqual([200, 'image/png'])
    return Buffer.from(await response.arrayBuffer()).toString('base64')
  }

  it('given titles in several scripts, then those of the font are drawn, the others left out, and no other site is asked', async () => {
    const asked: string[] = []
    const fetching = globalThis.fetch
    vi.spyOn(globalThis, 'fetch').mockImplementation((...call) => {
      // the renderer loads its own modules in this way
      if (/^https?:/.test(String(call[0]))) asked.push(String(call[0]))
      return fetching(...call)
    })
    const [untitled, russian, ukrainian, vietnamese] = [
      await pictureOf('三日間'),
      await pictureOf('Три дня в Лиссабоне'),
      await pictureOf('Ґанок'),
      await pictureOf('Ở Hà Nội'),
    ]
    expect(new Set([untitled, russian, ukrainian, vietnamese]).size).toBe(4)
    expect(await pictureOf('A conversation')).toBe(untitled)
    // every letter of two blocks, of which the font lacks some
    const letters = Array.from({ length: 0x260 - 0xa0 }, (_, at) => String.fromCharCode(0xa0 + at))
    await pictureOf(letters.slice(0, 200).join(''))
    await pictureOf(letters.slice(200).join(''))
    await pictureOf('‘a’ ‚b‛ “c” ← 🐈 №')
    expect(asked).toEqual([])
  })
})
