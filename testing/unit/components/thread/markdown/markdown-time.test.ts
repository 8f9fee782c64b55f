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
  for (let at = 0; at < 3; at++) for (const make of Object.values(hostileTexts)) render(make(400), at === 1)
}, 60_000)

// 200 ms in production on a small machine; React's development build and a busy machine take several times as long
// as much as is ever drawn only with RAMIFY_TEST_LONG: that takes half a minute
it.each(Object.entries(hostileTexts))(
  'given as much of %s as is drawn as Markdown, then it is drawn in less than a second',
  (_, make) => {
    const text = isLong ? longestDrawn(make) : make(2000)
    for (const streaming of [false, true]) {
      const before = process.cpuUsage()
      render(text, streaming)
      const { user } = process.cpuUsage(before)
      expect(user / 1000).toBeLessThan(1000)
    }
  },
)
