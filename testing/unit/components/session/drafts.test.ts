import { describe, expect, it, vi } from 'vitest'
import { type DraftStorage, Drafts, draftPlace } from '@/components/session/drafts'
import { nextMessage } from '@/components/session/next-message'

/** A browser's storage with room for so many characters. */
function storage(room = Number.POSITIVE_INFINITY): DraftStorage & { kept: Map<string, string> } {
  const kept = new Map<string, string>()
  return {
    kept,
    get length() {
      return kept.size
    },
    key: (at) => [...kept.keys()][at] ?? null,
    getItem: (key) => kept.get(key) ?? null,
    removeItem: (key) => void kept.delete(key),
    setItem(key, value) {
      const others = [...kept]
        .filter(([name]) => name !== key)
        .reduce((sum, [, text]) => sum + text.length, 0)
      if (others + value.length > room) throw new DOMException('full', 'QuotaExceededError')
      kept.set(key, value)
    },
  }
}

const main = draftPlace('chat', 'main', false)
const other = draftPlace('chat', 'other', false)
const fresh = draftPlace('chat', 'any', true)

/** The drafts of a person as another visit of the page reads them. */
const reader =
  (kept: DraftStorage, now = () => 0) =>
  (owner = 'ada') =>
    new Drafts(owner, () => kept, now)

describe('a draft', () => {
  it('survives a reload, per branch', () => {
    const visit = reader(storage())
    visit().change(main, { text: 'on main' })
    visit().change(other, { text: 'on other' })
    expect(visit().at(main).text).toBe('on main')
    expect(visit().at(other).text).toBe('on other')
  })

  it('keeps its files over a reload, goes with them to another branch, and is gone with the last', () => {
    const kept = storage()
    const visit = reader(kept)
    const file = { url: '/api/files/a', filename: 'map.png', mediaType: 'image/png' }
    visit().change(main, { files: [file] })
    expect(visit().at(main)).toEqual({ text: '', files: [file], next: null })
    const drafts = visit()
    drafts.carry(main, other, false)
    expect([drafts.at(main).files ?? [], drafts.at(other).files]).toEqual([[], [file]])
    // one that has files keeps its own
    drafts.change(main, { text: 'words', files: [{ ...file, url: '/api/files/b' }] })
    drafts.carry(main, other, false)
    expect(visit().at(main).files).toEqual([{ ...file, url: '/api/files/b' }])
    drafts.change(main, { files: [] })
    drafts.change(other, { text: '', files: [] })
    expect(kept.kept.size).toBe(0)
  })

  it('leaves nothing behind when it is sent', () => {
    const kept = storage()
    const drafts = reader(kept)()
    drafts.change(main, { text: 'soon sent' })
    drafts.change(main, { text: '' })
    expect(kept.kept.size).toBe(0)
  })

  it('is not seen by another person', () => {
    const visit = reader(storage())
    visit('ada').change(fresh, { text: 'a secret' })
    expect(visit('bob').at(fresh).text).toBe('')
  })

  it('of a visitor goes along when the visitor becomes a person', () => {
    const kept = storage()
    const visit = reader(kept)
    const drafts = visit('visitor')
    drafts.change(fresh, { text: 'hello' })
    drafts.giveTo('ada')
    expect(visit('visitor').at(fresh).text).toBe('')
    expect(visit('ada').at(fresh).text).toBe('hello')
  })

  it('is the same object until it changes, and its readers are told', () => {
    const drafts = reader(storage())()
    const told = vi.fn()
    drafts.subscribe(told)
    expect(drafts.at(main)).toBe(drafts.at(main))
    drafts.change(main, { text: 'a' })
    expect(told).toHaveBeenCalledOnce()
  })

  it('lasts as long as the page where nothing can be stored', () => {
    const forbidden = () => {
      throw new DOMException('no', 'SecurityError')
    }
    const drafts = new Drafts('ada', forbidden)
    drafts.change(main, { text: 'still here' })
    expect(drafts.at(main).text).toBe('still here')
  })

  it('takes the room of the oldest drafts', () => {
    let time = 0
    const kept = storage(150)
    const visit = reader(kept, () => time++)
    visit().change(main, { text: 'a'.repeat(60) })
    visit().change(other, { text: 'b'.repeat(60) })
    expect(visit().at(main).text).toBe('')
    expect(visit().at(other).text).toBe('b'.repeat(60))
    // a text that has no room even then stays on the page, and takes no other's
    const drafts = visit()
    drafts.change(main, { text: 'c'.repeat(500) })
    expect(drafts.at(main).text).toBe('c'.repeat(500))
    expect(visit().at(other).text).toBe('b'.repeat(60))
  })

  it('is one of a hundred', () => {
    let time = 0
    const kept = storage()
    const drafts = reader(kept, () => time++)()
    for (let at = 0; at < 130; at++) drafts.change(draftPlace('chat', `b${at}`, false), { text: 'x' })
    expect(kept.kept.size).toBe(100)
    expect(reader(kept)().at(draftPlace('chat', 'b129', false)).text).toBe('x')
    expect(reader(kept)().at(draftPlace('chat', 'b0', false)).text).toBe('')
  })

  it('that something else has written over is no draft', () => {
    const kept = storage()
    kept.kept.set('ramify-draft:ada:chat/main', '{"text":')
    expect(reader(kept)().at(main)).toEqual({ text: '', next: null })
  })
})

describe('what is written goes along', () => {
  it('to a branch without words, and leaves a branch with words alone', () => {
    const drafts = reader(storage())()
    drafts.change(main, { text: 'goes along' })
    drafts.carry(main, other, false)
    expect([drafts.at(main).text, drafts.at(other).text]).toEqual(['', 'goes along'])
    drafts.change(main, { text: 'stays' })
    drafts.carry(main, other, false)
    expect([drafts.at(main).text, drafts.at(other).text]).toEqual(['stays', 'goes along'])
  })

  it('without the message that waits, unless its reply goes along', () => {
    const drafts = reader(storage())()
    const next = nextMessage('next', 'head')
    drafts.change(main, { text: 'words', next })
    drafts.carry(main, other, false)
    expect([drafts.at(main).next, drafts.at(other).next]).toEqual([next, null])
    drafts.carry(main, other, true)
    expect([drafts.at(main).next, drafts.at(other).next]).toEqual([null, next])
  })
})

describe('a message that waits', () => {
  const next = nextMessage('next', 'head')

  it('survives a reload, and is sent once', () => {
    const visit = reader(storage())
    visit().change(main, { next })
    const drafts = visit()
    expect(drafts.at(main).next).toEqual(next)
    expect(drafts.waiting()).toEqual([[main, next]])
    expect(drafts.take(main, next.id)).toEqual(next)
    expect(drafts.take(main, next.id)).toBeNull()
  })

  it('is not sent by a second tab', () => {
    const visit = reader(storage())
    visit().change(main, { next })
    const [first, second] = [visit(), visit()]
    expect([first, second].map((drafts) => drafts.at(main).next?.text)).toEqual(['next', 'next'])
    expect(first.take(main, next.id)).toEqual(next)
    expect(second.take(main, next.id)).toBeNull()
    expect(second.at(main).next).toBeNull()
  })

  it('is sent from a page that could not store it', () => {
    const drafts = reader(storage(10))()
    drafts.change(main, { next })
    expect(drafts.take(main, next.id)).toEqual(next)
  })
})
