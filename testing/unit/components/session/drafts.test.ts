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

/** The drafts of a person as another visit of the page reads them. */
const reader =
  (kept: DraftStorage, now = () => 0) =>
  (owner = 'ada') =>
    new Drafts(owner, () => kept, now)

describe('a draft', () => {
  it('keeps its files over a reload, goes with them to another branch, and is gone with the last', () => {
    const kept = storage()
    const visit = reader(kept)
    const file = { url: '/api/files/a', filename: 'map.png', mediaType: 'image/png' }
    visit().change(main, { files: [file] })
    expect(visit().at(main)).toEqual({ text: '', files: [file], next: [] })
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
    expect(reader(kept)().at(main)).toEqual({ text: '', next: [] })
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
    drafts.change(main, { text: 'words', next: [next] })
    drafts.carry(main, other, false)
    expect([drafts.at(main).next, drafts.at(other).next]).toEqual([[next], []])
    drafts.carry(main, other, true)
    expect([drafts.at(main).next, drafts.at(other).next]).toEqual([[], [next]])
  })
})

describe('a message that waits', () => {
  const next = nextMessage('next', 'head')

  it('survives a reload, is known to be waiting, and is sent once, by one of two tabs', () => {
    const visit = reader(storage())
    visit().change(main, { next: [next] })
    const [first, second] = [visit(), visit()]
    expect([first, second].map((drafts) => drafts.at(main).next)).toEqual([[next], [next]])
    expect(first.waiting()).toEqual([[main, next]])
    expect(first.take(main, next.id, 'chat', 'head')).toEqual(next)
    expect([first, second].map((drafts) => drafts.take(main, next.id, 'chat', 'head'))).toEqual([null, null])
    expect(second.at(main).next).toEqual([])
  })

  it('given another behind it, then each leaves by itself, in order, and the other waits for the reply to the first', () => {
    const visit = reader(storage())
    const second = nextMessage('second', 'head')
    visit().change(main, { next: [next, second] })
    const [tab, otherTab] = [visit(), visit()]
    expect(otherTab.at(main).next).toEqual([next, second])
    expect(tab.take(main, next.id, 'chat', 'reply')).toEqual(next)
    expect(tab.isLeaving(main)).toBe(true)
    const waits = { ...second, after: 'reply' }
    expect([tab, visit()].map((drafts) => drafts.at(main).next)).toEqual([[waits], [waits]])
    // another tab sends none of them again, and takes none away
    expect(otherTab.take(main, next.id, 'chat', 'reply')).toBeNull()
    expect(otherTab.at(main).next).toEqual([waits])
    tab.settle(next.id)
    expect(tab.isLeaving(main)).toBe(false)
    expect(tab.take(main, second.id, 'chat', 'reply')).toEqual(waits)
    expect(visit().at(main).next).toEqual([])
  })

  it('given an earlier version of the page kept it, then it waits still', () => {
    const kept = storage()
    kept.kept.set('ramify-draft:ada:chat/main', JSON.stringify({ text: '', next, at: 1 }))
    kept.kept.set('ramify-draft:ada:chat/other', JSON.stringify({ text: 'words', next: null, at: 1 }))
    const drafts = reader(kept)()
    expect([drafts.at(main).next, drafts.at(other).next]).toEqual([[next], []])
  })

  it('is sent from a page that could not store it', () => {
    const drafts = reader(storage(10))()
    drafts.change(main, { next: [next] })
    expect(drafts.take(main, next.id, 'chat', 'head')).toEqual(next)
  })
})

describe('a message that was sent', () => {
  const message = { id: 'm1', text: 'what is my name' }
  const sent = { ...message, chatId: 'chat' }
  const empty = { text: '', files: [] }
  const file = { url: '/api/files/1', mediaType: 'image/png', filename: 'map.png', size: 4 }

  it('given it did not arrive, then it is in the box again, before what was written since, and goes as the same message', () => {
    const visit = reader(storage())
    visit().send(main, message, 'chat', { text: 'written since' })
    const later = visit()
    later.putBack(main, message, message.id)
    expect(visit().at(main).text).toBe('what is my name\n\nwritten since')
    expect(visit().idOf(main, { text: 'what is my name\n\nwritten since' })).toBeUndefined()
    visit().change(main, { text: message.text })
    expect(visit().idOf(main, { text: message.text })).toBe(message.id)
    expect(visit().idOf(main, { text: message.text, files: [file] })).toBeUndefined()
  })

  it.each([
    { since: '', found: '', left: '' },
    { since: 'written since', found: 'what is my name\n\nwritten since', left: 'written since' },
    { since: '', found: 'what is my name, please', left: 'what is my name, please' },
    { since: '', found: 'what is\n\nmy name', left: 'what is\n\nmy name' },
  ])(
    'given it had arrived all the same, and “$found” in the box, then “$left” is left',
    ({ since, found, left }) => {
      const visit = reader(storage())
      const drafts = visit()
      const withFile = { ...message, files: [file] }
      drafts.send(main, withFile, 'chat', { text: since, files: [] })
      drafts.putBack(main, withFile, message.id)
      if (found) drafts.change(main, { text: found })
      drafts.settle(message.id)
      const kept = left === found && found !== '' && { files: [file] }
      expect(visit().at(main)).toEqual({ text: left, next: [], ...kept })
    },
  )

  it('given it was a file alone that had arrived all the same, then the words written since are left', () => {
    const drafts = reader(storage())()
    const fileAlone = { id: 'm1', text: '', files: [file] }
    drafts.send(main, fileAlone, 'chat', { text: 'written since', files: [] })
    drafts.putBack(main, fileAlone, 'm1')
    drafts.settle('m1')
    expect(drafts.at(main)).toMatchObject({ text: 'written since', files: [] })
  })

  it('given it waited before, then it is kept just so', () => {
    const visit = reader(storage())
    const next = nextMessage('next', 'head')
    visit().change(main, { next: [next] })
    visit().take(main, next.id, 'chat', 'head')
    expect(visit().lost(main)).toEqual({ id: next.id, text: 'next', chatId: 'chat' })
  })

  it('given what is written goes along to another branch, then it stays where it was sent', () => {
    const drafts = reader(storage())()
    drafts.send(main, message, 'chat', empty)
    drafts.change(main, { text: 'words' })
    drafts.carry(main, other, true)
    expect([drafts.at(main).sent, drafts.at(other).sent]).toEqual([sent, undefined])
  })
})
