import { createElement } from 'react'
import { renderToString } from 'react-dom/server'
import { beforeAll, expect, it } from 'vitest'
import Markdown from '@/components/thread/markdown/markdown'
import { HintProvider } from '@/components/ui/hint'
import { isCostly } from '@/lib/markdown/markdown-cost'
import { hostileTexts } from '@/testing/worlds/hostile-texts'

const render = (text: string, streaming = false) =>
  renderToString(createElement(HintProvider, null, createElement(Markdown, { text, streaming })))

const isLong = Boolean(process.env.RAMIFY_TEST_LONG)

/** The longest text of a kind that is still drawn as Markdown. */
function longestDrawn(make: (length: number) => string): string {
  let [drawn, refused] = [0, 60_000]
  while (refused - drawn > 250) {
    const middle = Math.floor((drawn + refused) / 2)
    if (isCostly(make(middle))) refused = middle
    else drawn = middle
  }
  return make(drawn)
}

beforeAll(() => {
  // the first few are slow for another reason: their code is compiled
  for (let at = 0; at < (isLong ? 3 : 1); at++)
    for (const make of Object.values(hostileTexts)) render(make(isLong ? 400 : 100), at === 1)
}, 60_000)

// 200 ms in production on a small machine; React's development build and a busy machine take several times as long
// as much of a text as is ever drawn takes half a minute, so that short runs draw a little; its limits: markdown-cost.test.ts
it.each(Object.entries(hostileTexts))(
  'given %s, when as much is drawn as ever is, or a little, then that takes less than a second',
  (_, make) => {
    const text = isLong ? longestDrawn(make) : make(200)
    for (const streaming of [false, true]) {
      const before = process.cpuUsage()
      render(text, streaming)
      const { user } = process.cpuUsage(before)
      expect(user / 1000).toBeLessThan(1000)
    }
  },
)
