import { afterEach, expect, test, vi } from 'vitest'
import { clientAddress } from '@/lib/runtime/front/request-origin'

const from = (headers: Record<string, string>) => clientAddress({ headers: new Headers(headers) })
const shared = globalThis as typeof globalThis & { __ramifyFront?: true }

afterEach(() => {
  delete shared.__ramifyFront
  vi.unstubAllEnvs()
})

const forged = { 'x-ramify-address': '6.6.6.6', 'x-forwarded-for': '6.6.6.6', 'x-real-ip': '6.6.6.6' }

test('given no front in this process, when a client names an address, then it is not believed', () =>
  expect(from(forged)).toBe('unknown'))

test('given the front, then what it has set is the address', () => {
  shared.__ramifyFront = true
  expect(from({ 'x-ramify-address': '192.0.2.7' })).toBe('192.0.2.7')
  expect(from({})).toBe('unknown')
})

test('given Vercel, then the address is the one its edge saw, and IPv6 counts by its /64', () => {
  vi.stubEnv('VERCEL', '1')
  expect(from({ 'x-vercel-forwarded-for': '192.0.2.7', 'x-ramify-address': '6.6.6.6' })).toBe('192.0.2.7')
  expect(from({ 'x-real-ip': '2001:db8:1:2:3::4' })).toBe('2001:db8:1:2::/64')
  expect(from({ 'x-ramify-address': '6.6.6.6' })).toBe('unknown')
})
