import { describe, expect, it } from 'vitest'
import { differences, printedDifferences } from './compare'
import type { Recorded } from './scripted-provider'

const request = (over: Partial<Recorded> = {}): Recorded => ({
  method: 'POST',
  path: '/v1/messages',
  headers: { host: 'localhost:1', 'x-api-key': 'one', 'x-app': 'cli' },
  body: { model: 'a', messages: [{ role: 'user', content: 'hi' }] },
  ...over,
})

describe('what a client asks with and without Ramify', () => {
  it('is the same, given another key, other ids and another order', () => {
    const id = (text: string) => request({ headers: { 'x-session': text } })
    expect(
      differences(
        [request(), id('a3bb189e-8bf9-3888-9912-ace4e6543002')],
        [
          id('0f8fad5b-d9cb-469f-a165-70867728950e'),
          request({ headers: { 'x-app': 'cli', 'x-ramify-key': 'rk', host: 'localhost:2' } }),
        ],
      ),
    ).toEqual([])
  })

  it('differs, given a header that is lost and a field that is added, each named once', () => {
    const changed = request({
      headers: {},
      body: { model: 'a', messages: [{ role: 'user', content: 'hi' }], store: false },
    })
    const found = differences([request(), request()], [changed, changed])
    expect(found).toContain('loses "x-app: cli" (2 times)')
    expect(found.join()).toContain('"store": false')
  })

  it('differs, given a request that does not arrive and one that nobody made', () => {
    expect(differences([request()], [])).toEqual(['does not arrive: POST /v1/messages'])
    expect(differences([], [request({ path: '/v1/models' })])).toEqual(['arrives besides: POST /v1/models'])
  })
})

describe('what a client prints', () => {
  it('given runs that differ in address, key, ids and times, then it is the same', () => {
    const printed = (base: string, key: string, id: string, ms: number) =>
      `asking ${base} with ${key}\nsession ${id}, ${ms} ms\nDone with main.\n`
    const direct = printed(
      'http://127.0.0.1:4000',
      'sk-of-the-client',
      '0190a5c4-7a5e-7c1f-9f6a-3b1d2c4e5f60',
      12,
    )
    const through = printed(
      'http://127.0.0.1:5000',
      `rk_${'k'.repeat(43)}`,
      '0190a5c4-7a5e-7c1f-9f6a-3b1d2c4e5f61',
      1200.5,
    )
    expect(printedDifferences(direct, through)).toEqual([])
  })

  it('given a word that one run lacks, then the line of each is told', () => {
    expect(printedDifferences('one\ntwo words\n', 'one\ntwo\n')).toEqual([
      'prints "two words" without Ramify alone',
      'prints "two" through Ramify alone',
    ])
  })
})
