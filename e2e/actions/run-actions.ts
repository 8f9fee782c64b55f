import { type Browser, expect, type Locator, type Page, test } from '@playwright/test'
import type { Action } from '@/components/actions/action'
import * as app from '@/components/actions/on-app'
import * as branch from '@/components/actions/on-branch'
import * as ofChat from '@/components/actions/on-chat'
import * as graph from '@/components/actions/on-graph'
import * as merging from '@/components/actions/on-merging'
import * as message from '@/components/actions/on-message'
import * as replay from '@/components/actions/on-replay'
import * as sharing from '@/components/actions/on-sharing'
import * as steering from '@/components/actions/on-steering'
import { ChatPage } from '../support/chat-page'
import { watchErrors } from '../support/test'
import { type GivenChats, giveChats, giveRemotes } from './given-chats'

type Known = Pick<Action<never>, 'id' | 'label' | 'keys'>

const rooms = [app, branch, ofChat, graph, merging, message, replay, sharing, steering]

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

/** A thing that a person does, or looks at. */
export type Act = () => Promise<unknown>

/** An action, or several that are done alike: what is done, one after another, and last what is seen of it. */
export type Run = readonly Act[]

/** Runs by the ids of their actions, `a` or `a, b`. */
export type Runs = Readonly<Record<string, Run>>

/** The actions of a short run. */
const few =
  /^(copy|edit|share|previous version|next version|checkpoint|context|open row|rename|search|help|delete chat)$/

// what the runs are done to; set by `doAll`, since a test has one person
export let page: Page
export let chat: ChatPage
export let given: GivenChats

export const question = (): Locator => chat.said('what is 3+3')
export const reply = (): Locator => chat.lastReply()
/** the row of the branch that is not read at first */
export const other = (): Locator => chat.row(/what is 2\+2/)
export const reads =
  (branch: string): Act =>
  () =>
    chat.reads(branch)
export const isCopied: Act = () =>
  expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('That is 6.')

export const folds = (): Locator => chat.graph.locator('[role=treeitem][data-item^=fold]')
const view = () => chat.graph.locator('.react-flow__viewport').getAttribute('style')
let viewed: string | null = null
/** Remembers what part of the map is shown, and how large. */
export const keepView: Act = async () => {
  viewed = await view()
}
export const isMoved: Act = () => expect.poll(view).not.toBe(viewed)

/** Opens the chats of {@link giveChats} on a page of its own, does every run, and tells all that went wrong. */
export async function doAll(
  browser: Browser,
  options: Parameters<Browser['newPage']>[0],
  runs: Runs,
  act: (id: string, run: Run) => Promise<void>,
): Promise<void> {
  // each run has the time of a small test of its own
  test.setTimeout(60_000 + 10_000 * Object.keys(runs).length)
  const permissions = ['clipboard-read', 'clipboard-write']
  page = await browser.newPage({ ...options, reducedMotion: 'reduce', permissions })
  // what one run leaves undone keeps no other one waiting
  page.setDefaultTimeout(30_000)
  // no printer: the page says that it was asked for
  await page.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '')
  })
  const errors = watchErrors(page)
  chat = new ChatPage(page)
  given = await giveChats(page.request)
  await giveRemotes(page.request)
  const open = () => chat.open(`/c/${given.trip}?branch=main`)
  await open()
  const run = Object.keys(runs).flatMap((ids) => ids.split(', '))
  const missing = [...actions.keys()].filter((id) => !run.includes(id))
  const faults = missing.map((id) => `${id}: is not run`)
  for (const [ids, each] of Object.entries(runs)) {
    if (!process.env.RAMIFY_TEST_LONG && !few.test(ids)) continue
    try {
      await test.step(ids, () => act(ids.split(', ')[0] ?? ids, each))
    } catch (error) {
      // said at once: a run that hangs would keep it
      console.log(`${ids}: ${error}`)
      faults.push(`${ids}: ${error}`)
      // the next one begins where nothing is open
      await open()
    }
  }
  expect(faults.concat(errors)).toEqual([])
  await page.close()
}
