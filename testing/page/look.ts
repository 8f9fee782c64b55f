import axe from 'axe-core'
import { expect } from 'vitest'
import { page } from 'vitest/browser'
import { emulate } from './given'

declare global {
  interface ImportMetaEnv {
    readonly VITE_PICTURES?: string
    /** whether what is rare runs too, as in `npm run test:long` */
    readonly RAMIFY_TEST_LONG?: string
  }
}

const sizes = [
  [1440, 900],
  [390, 844],
] as const

/** Waits until nothing moves: what fades in or out has no contrast of its own. What never ends is not waited for. */
const atRest = () =>
  expect
    .poll(() =>
      document
        .getAnimations()
        .filter(
          ({ playState, effect }) =>
            playState === 'running' && effect?.getComputedTiming().endTime !== Infinity,
        ),
    )
    .toEqual([])

/** Axe finds nothing serious on the page; nothing at all where it is `strict`. */
export async function expectAccessible({ strict = false } = {}): Promise<void> {
  const faults = async () => {
    await atRest()
    const { violations } = await axe.run(document, { resultTypes: ['violations'] })
    return violations
      .filter(({ impact }) => strict || impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)
  }
  // something may begin to fade in while axe reads: a fault of the page is still there afterwards
  if ((await faults()).length > 0) expect(await faults()).toEqual([])
}

/** The page is no wider than its window. */
export function expectNoSidewaysScroll(screen = 'the page'): void {
  const { scrollWidth, clientWidth } = document.documentElement
  expect(scrollWidth - clientWidth, `${screen} scrolls sideways`).toBe(0)
}

/**
 * Looks at the page in a wide and a narrow window, in the light and in the dark: axe finds nothing serious, and nothing scrolls
 * sideways. In the end it is as it was. `VITE_PICTURES=1` puts pictures into `test-results/screens`, for a person to look at.
 *
 * @param name of the pictures
 * @param prepare what a person opens on the screen of this width, when it is not what is there
 * @param options.strict axe finds nothing at all
 */
export async function lookInAllWays(
  name: string,
  prepare?: (size: 'wide' | 'narrow') => Promise<unknown>,
  { strict = false }: { strict?: boolean } = {},
): Promise<void> {
  const before = [innerWidth, innerHeight] as const
  for (const [width, height] of sizes) {
    await page.viewport(width, height)
    const size = width > 800 ? 'wide' : 'narrow'
    await prepare?.(size)
    for (const scheme of ['light', 'dark'] as const) {
      await emulate({ 'prefers-color-scheme': scheme })
      await atRest()
      if (import.meta.env.VITE_PICTURES) {
        const [root] = (expect.getState().testPath ?? '').split('/components/')
        await page.screenshot({ path: `${root}/test-results/screens/${name}-${size}-${scheme}.png` })
      }
      await expectAccessible({ strict })
      expectNoSidewaysScroll(`${name}, ${size},`)
    }
  }
  await emulate({})
  await page.viewport(...before)
}
