import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { type Action, keysOf, offers } from '@/components/actions/action'
import { helpScopes } from '@/components/actions/help'
import { appActions, listedChatActions, palette, themeActions } from '@/components/actions/on-app'
import { branchChanges, checkpointActions, switchToBranch } from '@/components/actions/on-branch'
import { articleKeys, chatActions, pageActions, threadMoves } from '@/components/actions/on-chat'
import {
  canvasActions,
  closeHistory,
  findInGraph,
  itemActions,
  itemKeys,
  type OnGraph,
  rowKeys,
  saveActions,
  selectItem,
  unfold,
  viewActions,
} from '@/components/actions/on-graph'
import { rowActions } from '@/components/actions/on-message'
import { menuOf } from '@/components/explorer/canvas/graph-menu'
import { graphPalette } from '@/components/explorer/canvas/use-graph-palette'
import { graphModel } from '@/components/explorer/model/graph-model'
import { indexGraph } from '@/lib/graph'
import { repoRoot } from '@/testing/runner/repo-root'
import { branch, sketchGraph } from '@/testing/worlds/sketch-graph'

type Any = Action<never>
const ofChat: readonly Any[] = [...pageActions, ...appActions, palette]
const ofGraph: readonly Any[] = [...itemKeys, findInGraph, closeHistory]
const ofOutline: readonly Any[] = rowKeys
const others: readonly Any[] = [
  ...[...rowActions, ...themeActions, ...listedChatActions, ...threadMoves, ...chatActions],
  ...[...checkpointActions, ...branchChanges, switchToBranch],
  ...[...canvasActions, ...viewActions, ...saveActions],
]

const functions = [
  ...['open', 'select', 'pick', 'fold', 'unfold', 'go', 'branchFrom', 'checkpoint', 'switchTo', 'rename'],
  ...['archive', 'unarchive', 'restore', 'removeCheckpoint', 'zoomBy', 'fit', 'showHead', 'toggleFolds'],
  ...['find', 'leave', 'save', 'steer'],
]

/** A graph of two branches, `main` at `c` and `other` at `d`, and a target in it on which everything can be done. */
const graph = {
  ...sketchGraph('a', 'a>b', 'b>c', 'b>d'),
  branches: [branch('main', 'c'), branch('other', 'd')],
}
const model = graphModel(indexGraph(graph), { branchId: 'main' })
const on = (change: Partial<OnGraph> = {}): OnGraph => ({
  ...(Object.fromEntries(functions.map((name) => [name, vi.fn()])) as unknown as OnGraph),
  messageId: 'c',
  isFold: false,
  isPicked: false,
  compares: true,
  comparison: { with: 'current', open: vi.fn() },
  canFold: () => true,
  past: false,
  branch: model.index.branch('main'),
  title: 'Main line',
  isHere: false,
  canArchive: true,
  checkpointName: 'good',
  hasAgents: true,
  folding: 'foldable',
  canLeave: true,
  zooms: true,
  ...change,
})

vi.stubGlobal('document', { activeElement: null })

describe('help', () => {
  test('lists every action that has a key, by its label and its first key', () => {
    const scopes = helpScopes.filter(({ heading }) => heading !== 'In the list of chats')
    for (const [at, actions] of [ofChat, articleKeys, ofGraph, ofOutline].entries()) {
      const rows = scopes[at]?.rows.map(({ label }) => label)
      const keyed = actions.filter(({ keys }) => keys).map(({ label }) => label)
      expect(rows).toEqual(expect.arrayContaining(keyed))
    }
  })

  test('lists a label once in a scope', () => {
    for (const { rows } of helpScopes) {
      const labels = rows.map(({ label }) => label)
      expect(labels).toEqual([...new Set(labels)])
    }
  })

  test('knows every record with a key', () => {
    const keyed = others.filter(({ keys }) => keys).map(({ id }) => id)
    expect([...ofChat, ...ofGraph].map(({ id }) => id)).toEqual(expect.arrayContaining(keyed))
  })
})

describe('keys', () => {
  test.each(itemKeys.map((action) => [action.id, action] as const))('of the graph do: %s', (_, action) => {
    const target =
      action.id === unfold.id
        ? on({ messageId: null, isFold: true })
        : on({ compares: action.id !== selectItem.id })
    for (const key of action.keys ?? []) {
      const run = vi.spyOn(action, 'run')
      expect(keysOf(itemKeys, target)[key]?.({} as KeyboardEvent)).toBe(true)
      expect(run).toHaveBeenCalledOnce()
      run.mockRestore()
    }
  })

  test('say why an action cannot be done', () => {
    const say = vi.fn()
    const press = (key: string, target: OnGraph) => keysOf(itemKeys, target, say)[key]?.({} as KeyboardEvent)
    for (const [key, target, words] of [
      ['b', { isWriting: true }, 'This reply is still being written'],
      ['c', { past: true }, 'This is the past: it can be read and branched from, but not changed'],
      ['b', { messageId: null, isFold: true }, 'Show these messages first'],
      ['r', { checkpointName: null }, 'There is no checkpoint above'],
      ['f', { canFold: () => false }, 'There is no long stretch here'],
    ] as const) {
      press(key, on(target))
      expect(say.mock.lastCall).toEqual([words])
    }
  })

  test('are left to the browser where no action is meant', () => {
    expect(keysOf(itemKeys, on({ canLeave: false })).Escape?.({} as KeyboardEvent)).toBe(false)
  })

  test('belong to one action each in the thread', () => {
    const keys = ofChat.flatMap(({ keys: all = [] }) => all)
    expect(keys).toEqual([...new Set(keys)])
  })
})

describe('menu and toolbar', () => {
  const labelsOf = (target: OnGraph) =>
    menuOf({ kind: 'item', id: 'c' }, model, () => target).map((section) => section.map(({ label }) => label))

  test('show the same actions of a message, by the same labels', () => {
    const past = { past: true, compares: false, comparison: null }
    for (const target of [on(), on({ isWriting: true }), on(past)]) {
      const toolbar = offers(itemActions, target).map(({ label }) => label)
      expect(labelsOf(target)[0]).toEqual(toolbar)
    }
    expect(labelsOf(on())[0]).toHaveLength(itemActions.length)
  })

  test('the menu of a head has the actions of its branch, by name', () => {
    expect(labelsOf(on())[1]?.join(', ')).toBe(
      'Switch to Main line, Rename Main line, Archive Main line, Merge Main line into…, Sum up Main line and go on…, Ask everything on Main line again…, Share Main line…',
    )
  })

  test('a folded stretch can be shown, and nothing else', () => {
    expect(labelsOf(on({ messageId: null, isFold: true }))).toEqual([['Show these messages']])
  })
})

describe('the palette', () => {
  /** What the palette of a chat lists, besides chats, branches to switch to and themes. */
  const listed = (target: OnGraph) => {
    const graphs = graphPalette(() => target, {
      itemId: 'c',
      branchId: 'main',
      checkpoints: [{ name: 'good' }],
    })
    return [...graphs.map(({ label }) => label), ...pageActions.map(({ label }) => label)]
  }
  const inGraph: readonly Action<OnGraph>[] = [
    ...[...itemActions, ...itemKeys, ...viewActions, ...saveActions, ...canvasActions, findInGraph],
    ...[...branchChanges, ...checkpointActions],
  ]

  test('has every action of the graph that has a target', () => {
    for (const target of [on(), on({ compares: false, isFold: true }), on({ past: true })]) {
      const possible = inGraph.filter((action) => (action.when?.(target) ?? true) === true)
      const names = ({ label, named }: Action<OnGraph>) => [label, named?.(target), `${label}: good`]
      // the checkpoints to restore are listed by name, by the page
      const missing = possible.filter(
        (action) =>
          action.id !== 'restore' && !names(action).some((name) => listed(target).includes(name ?? '')),
      )
      expect(missing.map(({ label }) => label)).toEqual([])
    }
  })

  test('has every action of the page and of its messages, each once', () => {
    expect(pageActions).toEqual(expect.arrayContaining([...rowActions, ...chatActions, ...threadMoves]))
    const ids = pageActions.map(({ id }) => id)
    expect(ids).toEqual([...new Set(ids)])
  })

  test('has nothing twice', () => {
    const labels = listed(on({ compares: false }))
    expect(labels.filter((label, at) => labels.indexOf(label) !== at)).toEqual([])
  })
})

test('an id stands for one record', () => {
  const all = [...new Set([...ofChat, ...ofGraph, ...ofOutline, ...others])]
  const byId = Map.groupBy(all, ({ id }) => id)
  for (const [id, records] of byId)
    expect([...new Set(records.map(({ label }) => label))], id).toHaveLength(1)
})

test('a label is written in its record alone', () => {
  const root = path.join(repoRoot, 'components')
  const made = /^(explorer|frame)\/.*\.tsx?$|message-actions|workspace-header|use-chat-actions/
  const sources = readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((name) => made.test(name) && !name.includes('.test.'))
    .map((name) => [name, readFileSync(path.join(root, name), 'utf8')] as const)
  // a request that failed is tried again by the same words
  const long = [...ofChat, ...ofGraph, ...ofOutline, ...others].filter(
    ({ id, label }) => label.includes(' ') && id !== 'retry',
  )
  const twice = sources.flatMap(([name, source]) =>
    long.filter(({ label }) => source.includes(label)).map(({ label }) => `${name}: ${label}`),
  )
  expect([...new Set(twice)]).toEqual([])
})
