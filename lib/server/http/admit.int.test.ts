import { expect, it } from 'vitest'
import { allOperations } from '@/lib/server/api'
import { readFile, uploadFile } from '@/lib/server/api/files'
import { useApi } from '@/testing/worlds/api-world'
import { onOneDatabase } from '@/testing/worlds/open-stores'
import { pngImage } from '@/testing/worlds/sample-files'

onOneDatabase('what a page may ask for', ({ name }) => {
  const api = useApi(name)
  const asWhat = (destination: string) => ({ headers: { 'sec-fetch-dest': destination } })

  it('given the picture of a text, when it has the address of any operation of a person but a file, then nothing is done', async () => {
    const ada = await api.person()
    const theirs = allOperations.filter(({ asks = 'viewer' }) => asks === 'viewer' || asks === 'session')
    expect(theirs.length).toBeGreaterThan(60)
    const drawn: string[] = []
    for (const operation of theirs) {
      const { status, body } = await ada.ask(operation, { id: 'x', ...asWhat('image') })
      if (body?.code === 'wrong_destination') expect(status).toBe(403)
      else drawn.push(operation.id)
    }
    expect(drawn).toEqual(['readFile'])
  })

  it('given a file, when a page asks for it as a picture, a script or a person, then only other parts of a page are refused', async () => {
    const ada = await api.person()
    const form = new FormData()
    form.set('file', new File([pngImage('map') as BlobPart], 'map.png'))
    const { id } = (await ada.ask(uploadFile, { raw: form })).body
    for (const destination of ['image', 'empty', 'document'])
      expect((await ada.ask(readFile, { id, ...asWhat(destination) })).status, destination).toBe(200)
    expect((await ada.ask(readFile, { id })).status).toBe(200)
    const others = 'audio video track script style font iframe frame embed object worker manifest x'.split(
      ' ',
    )
    for (const destination of [...others, '', 'Image'])
      expect((await ada.ask(readFile, { id, ...asWhat(destination) })).status, destination).toBe(403)
  })
})
