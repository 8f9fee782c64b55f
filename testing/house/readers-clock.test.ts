import { expect, test } from 'vitest'
import { sources } from './sources'

/** Components that the browser alone draws: what they show is asked for with a click, or fetched by the page. */
const drawnInTheBrowser = [
  'components/app/branch-face.tsx',
  'components/explorer/cards/preview-card.tsx',
  'components/explorer/outline/outline-canvas.tsx',
  'components/explorer/outline/row-card.tsx',
  'components/explorer/time/time-bar.tsx',
  'components/history/history-panel.tsx',
  'components/search/search-results.tsx',
  'components/settings/api-keys-page.tsx',
  'components/settings/connected-apps.tsx',
  'components/settings/imports/paste-dialog.tsx',
  'components/settings/passkey-section.tsx',
  'components/settings/session-section.tsx',
  'components/shares/share-dialog.tsx',
  'components/shares/share-row.tsx',
  'components/steering/steer-dialog.tsx',
  'components/thread/live-turn.tsx',
  'components/thread/version-list.tsx',
]

/** The clock, and the language or time zone of whoever draws. */
const clock = /new Date\(\)|Date\.now\(\)|Intl\.\w+\(undefined|\.toLocale\w+\((?!'en')/

test("what depends on the reader's clock, day or language is not drawn by the server: `useNow` has the time", () => {
  const drawn = [...sources('app', 'components')].filter(
    ([file, source]) => file.endsWith('.tsx') && !file.includes('.test.') && clock.test(source),
  )
  expect(drawn.map(([file]) => file).sort()).toEqual(drawnInTheBrowser)
})
