import { describe, expect, test } from 'vitest'
import type { ImportPreview, PreviewedChat } from '@/lib/protocol'
import { choiceOf, lookedAt, shownOf } from './preview-choice'

const chat = (id: string, more: Partial<PreviewedChat> = {}): PreviewedChat => ({
  id,
  title: `About ${id}`,
  source: 'chatgpt',
  messages: 2,
  branches: 1,
  size: 100,
  from: '2026-03-01T10:00:00.000Z',
  to: '2026-03-14T10:00:00.000Z',
  standing: 'new',
  ...more,
})
const previewOf = (chats: PreviewedChat[], rest = false): ImportPreview => ({
  file: 'a.json',
  size: 1,
  source: 'chatgpt',
  chats,
  problems: [],
  problem_count: 0,
  rest,
})
const look = (preview: ImportPreview) => lookedAt(new File([], 'a.json'), preview)

describe('the chats of a file that are imported', () => {
  const here = chat('c', { standing: 'here' })

  test('given a file that was never imported, then all of it is chosen at first', () => {
    expect(choiceOf(look(previewOf([chat('a'), chat('b')])))).toBe(undefined)
  })

  test('given chats that are here already, then those with news are chosen at first', () => {
    expect(choiceOf(look(previewOf([chat('a'), chat('b', { standing: 'changed' }), here])))).toEqual({
      only: ['a', 'b'],
    })
    expect(choiceOf(look(previewOf([here])))).toBe(null)
  })

  test('given that more follows than is listed, then what is not chosen is left out, and the rest comes, unless it is not wanted', () => {
    const looked = look(previewOf([chat('a'), here], true))
    expect(choiceOf(looked)).toEqual({ except: ['c'] })
    expect(choiceOf({ ...looked, withRest: false })).toEqual({ only: ['a'] })
    expect(choiceOf({ ...looked, chosen: new Set(), withRest: false })).toBe(null)
    expect(choiceOf(look(previewOf([], true)))).toBe(undefined)
  })
})

test('given words, a day, or the wish for news, then the chats that fit are shown', () => {
  const all = [
    chat('Rome', { to: '2026-02-01T00:00:00.000Z' }),
    chat('OSLO', { to: null }),
    chat('Lima', { standing: 'here' }),
  ]
  const shown = (asked: Partial<Parameters<typeof shownOf>[1]>) =>
    shownOf(all, { words: '', since: '', isNews: false, ...asked }).map(({ id }) => id)
  expect(shown({})).toEqual(['Rome', 'OSLO', 'Lima'])
  expect(shown({ words: ' oslo' })).toEqual(['OSLO'])
  expect(shown({ since: '2026-03-14' })).toEqual(['Lima'])
  expect(shown({ isNews: true })).toEqual(['Rome', 'OSLO'])
})
