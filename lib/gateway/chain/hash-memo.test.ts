import type { ModelMessage } from 'ai'
import { expect, it } from 'vitest'
import { chainHash, chainHashes } from '@/lib/gateway/chain'
import { HashMemo } from './hash-memo'

const said = (content: string): ModelMessage => ({ role: 'user', content })

it('given a conversation that is sent again, then only what is new is hashed', () => {
  let count = 0
  const memo = new HashMemo((above, message) => {
    count += 1
    return chainHash(above, message)
  })
  const hashes = (words: string[]) => {
    let above = ''
    return words.map((word) => {
      above = memo.hashOf(above, said(word))
      return above
    })
  }
  const first = hashes(['a', 'b'])
  expect(hashes(['a', 'b', 'c']).slice(0, 2)).toEqual(first)
  expect(count).toBe(3)
  // another word changes all below it
  expect(hashes(['a', 'x', 'c'])[2]).not.toBe(hashes(['a', 'b', 'c'])[2])
})

it('given more than is remembered, then the oldest are forgotten, and hashes stay right', () => {
  const memo = new HashMemo(chainHash, 300)
  for (let at = 0; at < 50; at += 1)
    expect(memo.hashOf(`${at}`, said('word'))).toBe(chainHash(`${at}`, said('word')))
  expect(memo.letters).toBeLessThanOrEqual(300)
})

it('given a conversation, then its hashes are those of its messages one after the other, each time', async () => {
  const messages = Array.from({ length: 100 }, (_, at) => said(`${at}`))
  let above = ''
  const expected = messages.map((message) => {
    above = chainHash(above, message)
    return above
  })
  expect(await chainHashes('', messages)).toEqual(expected)
  expect(await chainHashes('', messages)).toEqual(expected)
})
