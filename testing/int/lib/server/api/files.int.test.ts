import { createHash } from 'node:crypto'
import { beforeAll, describe, expect, it } from 'vitest'
import { readFile, uploadFile } from '@/lib/server/api/files'
import { checkDatabase } from '@/lib/store'
import { useApi } from '@/testing/worlds/api-world'
import { onServedDatabase } from '@/testing/worlds/open-stores'
import { brokenForms, jpegImage, pdfFile, pngImage } from '@/testing/worlds/sample-files'

const MB = 1024 * 1024

onServedDatabase('the routes of files', ({ name }) => {
  const api = useApi(name, { RAMIFY_FILE_LIMIT_MB: '1', RAMIFY_QUOTA_BYTES: String(4 * MB) })
  let ada: Awaited<ReturnType<typeof person>>
  beforeAll(async () => {
    ada = await person()
  })

  const person = async () => {
    const { id: owner, ask } = await api.person()
    const post = (raw: BodyInit, type?: string) =>
      ask(uploadFile, { raw, ...(type && { headers: { 'content-type': type } }) })
    return {
      owner,
      post,
      upload: async (called: string, bytes: Buffer | string) => {
        const form = new FormData()
        form.set('file', new File([bytes as BlobPart], called, { type: 'text/html' }))
        const { status, body } = await post(form)
        return { status, body }
      },
      read: (id: string, headers: Record<string, string> = {}) => ask(readFile, { id, headers }),
    }
  }
  const stored = async () => (await api.query('select 1 from files')).length

  it('given a picture, when it is uploaded, then it is read back byte for byte, under its content’s type', async () => {
    const bytes = pngImage('first')
    const { status, body } = await ada.upload('C:\\pictures\\map "1"\u202e.png', bytes)
    expect(status).toBe(201)
    expect(body).toEqual({
      id: expect.any(String),
      sha256: createHash('sha256').update(bytes).digest('hex'),
      media_type: 'image/png',
      name: 'map "1" .png',
      size: bytes.length,
    })
    const read = await ada.read(body.id)
    expect(read.bytes.equals(bytes)).toBe(true)
    expect(Object.fromEntries(read.headers)).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(bytes.length),
      'content-disposition': `inline; filename="map _1_ .png"; filename*=UTF-8''map%20%221%22%20.png`,
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
      'cache-control': 'private, no-cache',
    })
    const again = await ada.read(body.id, { 'if-none-match': read.headers.get('etag') ?? '' })
    expect([again.status, again.bytes.length]).toEqual([304, 0])
  })

  it('given a file of several pieces, then all of it comes back in order', async () => {
    const bytes = Buffer.concat([pngImage('long'), Buffer.alloc(700_000), pngImage('end')])
    for (let at = 200; at < 690_000; at += 1000) bytes.writeUInt32BE(at, at)
    const { body } = await ada.upload('long.png', bytes)
    expect((await ada.read(body.id)).bytes.equals(bytes)).toBe(true)
    expect(await checkDatabase(api.services.database)).toEqual([])
  })

  it('given the same content under another name, then it is the same file, also at the same time, and of each person their own', async () => {
    const bytes = pdfFile('same')
    const first = await ada.upload('one.pdf', bytes)
    const before = await stored()
    // a message names it as its own upload did
    const body = { ...first.body, name: 'two.pdf' }
    expect(await ada.upload('two.pdf', bytes)).toEqual({ ...first, body })
    expect(await stored()).toBe(before)
    const many = await Promise.all(Array.from({ length: 5 }, () => ada.upload('x.txt', 'the same words')))
    expect(new Set(many.map(({ body }) => body.id)).size).toBe(1)
    expect(await stored()).toBe(before + 1)
    const bob = await person()
    const others = await bob.upload('one.pdf', bytes)
    expect(others.body.id).not.toBe(first.body.id)
    expect(others.body.sha256).toBe(first.body.sha256)
  })

  it('given a file, then to anyone else it is missing, byte for byte as one that never was', async () => {
    const { body } = await ada.upload('mine.txt', 'for my eyes')
    const bob = await person()
    const [theirs, unknown, odd] = await Promise.all([
      bob.read(body.id),
      bob.read('019d3c1e-9d08-7cc0-9d34-7a1e5b2f8c10'),
      bob.read('no\nid'),
    ])
    const told = [theirs.status, theirs.text, [...theirs.headers]]
    expect(told).toEqual([404, unknown.text, [...unknown.headers]])
    expect(odd.text).toBe(unknown.text)
    expect((await ada.read(body.id)).status).toBe(200)
  })

  describe('its type is told by its content', () => {
    const svg = '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg"/>'
    const html = ' <!-- a -->\n<!DOCTYPE html><script>alert(1)</script>'
    it.each([
      ['photo.jpg', jpegImage(), 'image/jpeg', 'inline'],
      // named as another type, and harmless
      ['photo.png', jpegImage('named png'), 'image/jpeg', 'inline'],
      ['notes.txt', pngImage('named txt'), 'image/png', 'inline'],
      ['paper.pdf', pdfFile('paper'), 'application/pdf', 'attachment'],
      ['notes.md', '# Notes\n', 'text/markdown', 'attachment'],
      ['table.csv', 'a,b\n1,2\n', 'text/csv', 'attachment'],
      ['data.json', '{"a": 1}', 'application/json', 'attachment'],
      ['script.sh', '#!/bin/sh\necho hi\n', 'text/plain', 'attachment'],
      ['Ünïcode name.txt', 'Grüße, 世界', 'text/plain', 'attachment'],
      ['no extension', 'words', 'text/plain', 'attachment'],
      // as their source, which no browser runs
      ['page.html', html, 'text/plain', 'attachment'],
      ['sign.svg', svg, 'text/plain', 'attachment'],
      ['notes.txt', Buffer.from('\ufeffwords', 'utf16le'), 'text/plain', 'attachment'],
      ['about.txt', 'In HTML, <b>bold</b> is bold', 'text/plain', 'attachment'],
    ])('given %s, then it is taken as %s', async (called, bytes, type, disposition) => {
      const { status, body } = await ada.upload(called, bytes)
      expect([status, body.media_type, body.name]).toEqual([201, type, called])
      const read = await ada.read(body.id)
      expect(read.headers.get('content-type')).toMatch(new RegExp(`^${type}`))
      expect(read.headers.get('content-disposition')).toMatch(new RegExp(`^${disposition};`))
    })

    const hex = (bytes: string) => Buffer.from(bytes, 'hex')
    it.each([
      ['an empty file', 'nothing.png', '', 'empty_file'],
      ['a picture that is text', 'photo.png', 'not a picture', 'disguised_file'],
      ['a PDF that is text', 'paper.PDF', 'not a paper', 'disguised_file'],
      ['a cut PNG', 'photo.png', pngImage().subarray(0, -14), 'damaged_file'],
      ['a cut JPEG', 'photo.jpg', jpegImage().subarray(0, -2), 'damaged_file'],
      ['a cut PDF', 'paper.pdf', pdfFile().subarray(0, -7), 'damaged_file'],
      ['a program', 'photo.png', hex('4d5a90000300000004000000ffff0000'), 'unsupported_type'],
      ['a cut archive', 'notes.txt', hex('504b0304140000000800'), 'damaged_file'],
      ['bytes', 'notes.txt', hex('010002ff'), 'unsupported_type'],
      ['SVG that is named as a picture', 'picture.png', svg, 'disguised_file'],
    ])('given %s, then it is refused with words, and nothing is stored', async (_, called, bytes, code) => {
      const before = await stored()
      const { status, body } = await ada.upload(called, bytes)
      expect([status, body.code]).toEqual([code === 'unsupported_type' ? 415 : 400, code])
      expect(body.detail).toContain(`“${called}”`)
      expect(await stored()).toBe(before)
    })
  })

  it('given more bytes than are allowed, announced or not, then they are refused before all have come', async () => {
    expect((await ada.upload('full.txt', 'a'.repeat(MB))).status).toBe(201)
    const body = { code: 'too_large', detail: 'The file is too large: 1 MB at most.' }
    expect(await ada.upload('long.txt', 'a'.repeat(MB + 1))).toMatchObject({ status: 413, body })
    let pulled = 0
    const endless = new ReadableStream({
      pull(controller) {
        pulled += 1
        controller.enqueue(new Uint8Array(64 * 1024))
      },
    })
    const { status } = await ada.post(endless, 'multipart/form-data; boundary=x')
    expect(status).toBe(413)
    expect(pulled).toBeLessThan(25)
  })

  it('given no form, or a form without one file, then it is refused', async () => {
    expect((await ada.post('{}', 'application/json')).status).toBe(415)
    expect((await ada.post('no form', 'multipart/form-data; boundary=x')).status).toBe(400)
    for (const type of brokenForms)
      expect((await ada.post('--b\r\n', type)).status, type.slice(0, 80)).toBe(400)
    for (const fields of [['words'], [new File(['a'], 'a.txt'), new File(['b'], 'b.txt')]]) {
      const form = new FormData()
      for (const field of fields) form.append('file', field)
      expect((await ada.post(form)).status).toBe(400)
    }
  })

  it('given a quota of stored bytes, then files count, and one too many leaves nothing', async () => {
    const eve = await person()
    const file = (letter: string) => eve.upload(`${letter}.txt`, letter.repeat(MB))
    for (const letter of ['a', 'b', 'c', 'd']) expect((await file(letter)).status).toBe(201)
    const full = { code: 'quota_exceeded', limit: 'bytes', allowed: 4 * MB, used: 4 * MB }
    expect(await file('e')).toMatchObject({ status: 429, body: full })
    // the same content again takes no room
    expect((await file('a')).status).toBe(201)
    expect((await api.query('select 1 from files where owner_id = $1', eve.owner)).length).toBe(4)
    expect(await checkDatabase(api.services.database)).toEqual([])
    // and what was never sent makes room again
    const older = `update files set uploaded_at = now() - interval '25 hours' where owner_id = $1`
    await api.query(older, eve.owner)
    expect(await api.services.files.forgetUnheld(24 * 3_600_000)).toBe(4)
    expect((await file('e')).status).toBe(201)
    expect(await checkDatabase(api.services.database)).toEqual([])
  })
})
