import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { Heads } from '@/lib/cli/refs/heads'
import { OpenChat } from '@/lib/cli/refs/open-chat'
import { ShortIds } from '@/lib/cli/refs/short-ids'
import { newId } from '@/lib/events'
import { branch, sketchGraph } from '@/testing/worlds/sketch-graph'

describe('ids as a person types them', () => {
  it('given ids of one moment, then their ends tell them apart, and any beginning or end that is its own means one', () => {
    const ids = Array.from({ length: 500 }, newId)
    const short = new ShortIds(ids)
    for (const id of ids) {
      expect(short.of(id).length).toBeLessThan(14)
      expect(short.meant(short.of(id))).toEqual([id])
      expect(short.meant(id)).toEqual([id])
    }
    expect(short.meant(ids[0]?.slice(0, 8) ?? '').length).toBeGreaterThan(1)
    expect(short.meant('abc')).toEqual([])
  })

  it('given ids that a client chose, then short ones stay as they are', () => {
    const short = new ShortIds(['trip', 'trip-2', `${'x'.repeat(40)}-end`, `${'y'.repeat(40)}-end`])
    expect(short.of('trip')).toBe('trip')
    expect(short.meant('trip')).toEqual(['trip'])
    expect(short.of(`${'x'.repeat(40)}-end`)).toBe('xxx-end')
    expect(short.meant('y-end')).toEqual([`${'y'.repeat(40)}-end`])
  })
})

describe('places in a chat', () => {
  const [q1, a1, q2, a2] = ['q1', 'a1', 'q2', 'a2'].map((name) => `${name}-long-enough-id`)
  const chat = new OpenChat({
    ...sketchGraph(`${q1}`, `${q1}>${a1}`, `${a1}>${q2}`, `${q2}>${a2}`),
    branches: [branch('main', `${a2}`), branch('porto', `${q2}`), branch('empty', null, { archivedAt: 1 })],
    checkpoints: [{ id: 'c1', name: 'booked', messageId: `${a1}`, createdAt: 1 }],
  })

  it('given HEAD, names and steps above, then each means its message', () => {
    expect(chat.resolve('HEAD').branch?.name).toBe('main')
    expect(chat.branch('porto').name).toBe('porto')
    const meant = 'main~0 a2, @ a2, HEAD~0 a2, HEAD~1 q2, main^^ a1, main~2^ q1, booked a1, booked~ q1'
    for (const [name = '', id] of meant.split(', ').map((one) => one.split(' ')))
      expect(chat.message(name).id).toBe(`${id}-long-enough-id`)
  })

  it('given what names nothing, several things or no message, then the words say so', () => {
    expect(() => chat.resolve('HEAD~9')).toThrow('only 4 stand there')
    expect(() => chat.resolve('lisbon')).toThrow('Its branches: main, porto.')
    expect(() => chat.resolve('long-enough-id')).toThrow('could be')
    expect(() => chat.branch('booked')).toThrow('“booked” is not a branch')
    expect(() => chat.message('empty')).toThrow('has no message yet')
  })
})

describe('the current chat', () => {
  const home = mkdtempSync(path.join(tmpdir(), 'ramify-heads-'))
  afterAll(() => rmSync(home, { recursive: true }))

  it('given places, then each has its own, in a file that is the person’s alone', () => {
    const heads = new Heads({ XDG_STATE_HOME: home })
    const work = { chat: 'work', person: 'ada' }
    expect(heads.read('folder:/a')).toEqual({})
    heads.write('folder:/a', { chat: 'trip' })
    heads.write('server:http://b', work)
    const again = new Heads({ HOME: '/nowhere', XDG_STATE_HOME: home })
    expect(['folder:/a', 'server:http://b'].map((at) => again.read(at))).toEqual([{ chat: 'trip' }, work])
    expect(statSync(path.join(home, 'ramify/heads.json')).mode & 0o777).toBe(0o600)
  })

  it('given a broken file, then it is not written over, and the words say what to do', () => {
    new Heads({ XDG_STATE_HOME: home }).write('a', {})
    writeFileSync(path.join(home, 'ramify/heads.json'), '{')
    expect(() => new Heads({ XDG_STATE_HOME: home }).read('a')).toThrow('delete it')
    expect(() => new Heads({ XDG_STATE_HOME: home }).write('a', {})).toThrow('delete it')
  })
})
