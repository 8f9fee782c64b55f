import { afterEach, describe, expect, it } from 'vitest'
import { DIRECT_HEADER, isFromHere } from './own-machine.ts'

const shared = globalThis as typeof globalThis & { __ramifyFront?: true }

const host = 'localhost:3000'
const direct = { host, [DIRECT_HEADER]: 'yes' }
const link = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate', 'sec-fetch-dest': 'document' }

describe('a request of this machine', () => {
  afterEach(() => {
    delete shared.__ramifyFront
  })

  const fromHere = (headers: Record<string, string>, opensPage = false) => {
    shared.__ramifyFront = true
    return isFromHere(new Headers({ ...direct, ...headers }), { opensPage })
  }

  it.each<Record<string, string>>([
    {},
    { host: '127.0.0.1:3000' },
    { host: '127.8.7.6' },
    { host: '[::1]:3000' },
    { host: 'LOCALHOST.' },
    { host: 'ada.localhost:3000', origin: 'http://ada.localhost:3000' },
    { origin: 'http://localhost:3000', 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' },
    // programs that are built on a browser's `fetch`
    { 'sec-fetch-mode': 'cors', 'user-agent': 'node' },
  ])('comes from a program or a page of ours: %j', (headers) => expect(fromHere(headers)).toBe(true))

  it.each<Record<string, string>>([
    { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://localhost:5173' },
    { origin: 'http://127.0.0.1:3000' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'empty' },
    // a page of another port of this machine
    { 'sec-fetch-site': 'same-site' },
    // a name that leads here, and addresses that a browser does not protect
    { host: 'evil.example' },
    { host: 'localhost.evil.example:3000' },
    { host: '0.0.0.0:3000' },
    { host: '[::]:3000' },
    { host: '192.168.1.7:3000' },
    { host: 'host.docker.internal:3000' },
    { host: '' },
  ])('is none that another site or another host has caused: %j', (headers) => {
    expect(fromHere(headers)).toBe(false)
    expect(fromHere(headers, true)).toBe(false)
  })

  it('is for a page also a link of another site, and in no frame and for nothing else', () => {
    expect(fromHere(link, true)).toBe(true)
    expect(fromHere(link)).toBe(false)
    expect(fromHere({ ...link, 'sec-fetch-dest': 'iframe' }, true)).toBe(false)
    expect(fromHere({ ...link, origin: 'https://evil.example' }, true)).toBe(false)
  })

  it('is behind the front one that the front says came straight, whatever the request says', () => {
    shared.__ramifyFront = true
    expect(isFromHere(new Headers({ host }))).toBe(false)
  })

  it.each<[boolean, Record<string, string>]>([
    [true, { 'x-forwarded-for': '127.0.0.1', 'x-forwarded-host': host }],
    [true, { 'x-forwarded-for': '::ffff:127.0.0.1' }],
    [true, {}],
    [false, { 'x-forwarded-for': '203.0.113.5' }],
    [false, { 'x-forwarded-for': '127.0.0.1, 203.0.113.5' }],
    [false, { 'x-forwarded-host': 'chat.example.org' }],
    [false, { forwarded: 'for=203.0.113.5' }],
    [false, { via: '1.1 proxy' }],
    [false, { 'x-real-ip': '127.0.0.1' }],
  ])('is %s without a front, as in development, with %j', (expected, headers) =>
    expect(isFromHere(new Headers({ host, ...headers }))).toBe(expected),
  )
})
