import AxeBuilder from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from './test'

interface Screen {
  size: 'wide' | 'narrow'
  colorScheme: 'light' | 'dark'
}

export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }

/** Waits until nothing moves: what fades in or out has no contrast of its own. What never ends is not waited for. */
const atRest = (page: Page) =>
  page.waitForFunction(() =>
    document
      .getAnimations()
      .every(
        ({ effect, playState }) =>
          playState !== 'running' || effect?.getComputedTiming().endTime === Infinity,
      ),
  )

/** Axe finds nothing on the page; nothing serious or critical unless `strict`. */
export async function expectAccessible(page: Page, { strict = false } = {}): Promise<void> {
  const faults = async () => {
    await atRest(page)
    // the page has no frames: it is read in one go, without a second page, and only what fails is written down
    const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] })
    return (await axe.analyze()).violations
      .filter(({ impact }) => strict || impact === 'serious' || impact === 'critical')
      .map(({ id, nodes }) => `${id}: ${nodes.map((node) => node.target.join(' ')).join(', ')}`)
  }
  // something may begin to fade in while axe reads: a fault of the page is still there afterwards
  if ((await faults()).length > 0) expect(await faults()).toEqual([])
}

/**
 * Takes a picture of the screen, for a person to look at: `E2E_PICTURES=1 npx playwright test outline` puts it into
 * `test-results/screens`. Without the variable there is none: a picture takes as long as a click and its answer.
 */
async function picture(page: Page, name: string): Promise<void> {
  if (process.env.E2E_PICTURES) await page.screenshot({ path: `test-results/screens/${name}.png` })
}

/** By how many pixels the page is wider than its window. */
export const sidewaysScroll = (page: Page) =>
  page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth)

/**
 * Looks at a page in all four ways, one after another: wide and narrow, light and dark. Nothing is loaded anew: what is open on
 * the page stays open. In the end it is as it was.
 *
 * @param options.strict axe finds nothing at all
 * @param options.also looks at more, in each way
 */
export async function lookInAllWays(
  page: Page,
  name: string,
  { strict = false, also }: { strict?: boolean; also?: (screen: Screen) => Promise<void> } = {},
): Promise<void> {
  const before = page.viewportSize() ?? wide
  for (const size of ['wide', 'narrow'] as const) {
    await page.setViewportSize(size === 'wide' ? wide : phone.viewport)
    for (const colorScheme of ['light', 'dark'] as const) {
      await showIn(page, colorScheme)
      await atRest(page)
      await picture(page, `${name}-${size}-${colorScheme}`)
      await test.step(`${name}, ${size}, ${colorScheme}`, async () => {
        await expectAccessible(page, { strict })
        // what measures itself follows the window a frame later
        await expect.poll(() => sidewaysScroll(page), `${name} scrolls sideways`).toBe(0)
        await also?.({ size, colorScheme })
      })
    }
  }
  await page.setViewportSize(before)
  await showIn(page, null)
}

const wide = { width: 1440, height: 900 }

/** Shows a page in a scheme of the system. A page without the frame reads that only as it loads: it is told. */
async function showIn(page: Page, colorScheme: 'light' | 'dark' | null): Promise<void> {
  await page.emulateMedia({ colorScheme })
  await page.evaluate(() => {
    if (localStorage.getItem('ramify-theme')) return
    const isDark = matchMedia('(prefers-color-scheme: dark)').matches
    document.documentElement.dataset.theme = isDark ? 'dark' : 'light'
  })
}
