import { type Browser, expect, type Page, test } from '@playwright/test'
import type { Action } from '@/components/actions/action'
import * as app from '@/components/actions/on-app'
import * as branch from '@/components/actions/on-branch'
import * as chat from '@/components/actions/on-chat'
import * as graph from '@/components/actions/on-graph'
import * as merging from '@/components/actions/on-merging'
import * as message from '@/components/actions/on-message'
import * as replay from '@/components/actions/on-replay'
import * as sharing from '@/components/actions/on-sharing'
import * as steering from '@/components/actions/on-steering'
import { ChatPage } from '../support/chat-page'
import { watchErrors } from '../support/test'
import { type GivenChats, giveChats } from './given-chats'

type Known = Pick<Action<never>, 'id' | 'label' | 'keys'>

const rooms = [app, branch, chat, graph, merging, message, replay, sharing, steering]

const isAction = (value: unknown): value is Known =>
  typeof value === 'object' && value !== null && 'id' in value && 'run' in value

/** Every action of the product, by its id: an action that is added has to be run. */
export const actions: ReadonlyMap<string, Known> = new Map(
  rooms
    .flatMap((room) => Object.values(room) as unknown[])
    .flat()
    .filter(isAction)
    .map((action) => [action.id, action]),
)

/** An action, or several that are done alike, as a person does it. */
export interface Run {
  /** brings the person to what it is done to */
  given?(): Promise<unknown>
  /** does it, where that is not the usual way */
  by?(): Promise<unknown>
  /** looks at what comes of it */
  sees(): Promise<unknown>
}

/** Runs by the ids of their actions, `a` or `a, b`. */
export type Runs = Readonly<Record<string, Run>>

interface Hands {
  page: Page
  chat: ChatPage
  given: GivenChats
  /** Does every run, and tells all that went wrong. */
  doAll(runs: Runs, act: (id: string, run: Run) => Promise<void>): Promise<void>
}

/** Opens the chats of {@link giveChats} on a page of its own. */
export async function openHands(
  browser: Browser,
  options: Parameters<Browser['newPage']>[0],
): Promise<Hands> {
  const permissions = ['clipboard-read', 'clipboard-write']
  const page = await browser.newPage({ ...options, reducedMotion: 'reduce', permissions })
  // no printer: the page says that it was asked for
  await page.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '')
  })
  const errors = watchErrors(page)
  const chat = new ChatPage(page)
  const given = await giveChats(page.request)
  const open = () => chat.open(`/c/${given.trip}?branch=main`)
  await open()
  return {
    page,
    chat,
    given,
    async doAll(runs, act) {
      const run = Object.keys(runs).flatMap((ids) => ids.split(', '))
      const missing = [...actions.keys()].filter((id) => !run.includes(id))
      const faults = missing.map((id) => `${id}: is not run`)
      for (const [ids, each] of Object.entries(runs)) {
        try {
          await test.step(ids, () => act(ids.split(', ')[0] ?? ids, each))
        } catch (error) {
          faults.push(`${ids}: ${error}`)
          // the next one begins where nothing is open
          await open()
        }
      }
      expect(faults.concat(errors)).toEqual([])
      await page.close()
    },
  }
}
