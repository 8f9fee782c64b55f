import 'server-only'
import { headers } from 'next/headers'
import { connection } from 'next/server'
import type { AskedConsent } from '@/lib/protocol'
import { getServices } from '@/lib/runtime'
import { readAsked } from '../oauth/consent'
import { placeOf } from '../oauth/redirect-uris'
import { forPage } from './for-page'

/**
 * Content of the page of consent for the query of an app's request. The page stores nothing, and leads to the
 * app only by a link that the person follows.
 */
export async function readConsent(
  asked: Readonly<Record<string, string | string[] | undefined>>,
): Promise<AskedConsent> {
  await connection()
  const [services, sent] = await Promise.all([forPage(getServices()), headers()])
  const fields = Object.entries(asked).flatMap(([name, value]) =>
    [value ?? []].flat().map((text): [string, string] => [name, text]),
  )
  const query = new URLSearchParams(fields).toString()
  const { asked: read } = await forPage(readAsked(query, sent, services))
  if (read.kind === 'broken') return { kind: 'broken', problem: read.problem }
  const app = { name: read.app.name, place: placeOf(read.redirectUri) }
  if (read.kind === 'refused') return { kind: 'refused', app, problem: read.problem, back: read.back }
  return { kind: 'asked', app, query, scopes: read.scopes, refusedAt: read.refusedAt }
}
