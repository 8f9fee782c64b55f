import type { Api } from '@/components/app/api'
import { exportPath } from '@/components/app/paths'
import { problemOf, unreached } from '@/components/app/problem'
import { problemToast } from '@/components/app/toasts'
import type { BranchId, ChatId } from '@/lib/events'

/** The class of the printed text, in place of the page; `globals.css` shows it on paper alone. */
const PRINTED = 'printed'

/**
 * Prints an exported page: its title, its branch and every message, also those that this page has not loaded. The
 * export has no script, and its styles stay within it.
 *
 * @param path of the export
 */
export async function printChat({ fetch }: Pick<Api, 'fetch'>, path: string): Promise<void> {
  const text = await fetch(path)
    .then((response) => response.text())
    .catch((error: unknown) => void problemToast(problemOf(error, unreached)))
  if (text !== undefined) await printPage(text)
}

/** Prints every message of a branch, without thoughts, tools and context. */
export const printBranch = (api: Pick<Api, 'fetch'>, chatId: ChatId, branch: BranchId): Promise<void> =>
  printChat(api, exportPath(chatId, { format: 'html', branch, without: ['thoughts', 'tools', 'context'] }))

async function printPage(text: string): Promise<void> {
  // a policy of the page that refuses inline styles would report the export's own
  const [style = ''] = /(?<=<style>)[^<]*/.exec(text) ?? []
  const exported = new DOMParser().parseFromString(text.replace(style, ''), 'text/html')
  const host = document.createElement('div')
  host.className = PRINTED
  const root = host.attachShadow({ mode: 'open' })
  root.adoptedStyleSheets = [sheetOf(style)]
  const body = document.createElement('div')
  body.className = 'body'
  body.append(...exported.body.children)
  for (const onScreen of body.querySelectorAll('.graph, nav')) onScreen.remove()
  for (const folded of body.querySelectorAll('details')) folded.open = true
  root.append(body)
  for (const before of document.querySelectorAll(`body > .${PRINTED}`)) before.remove()
  document.body.append(host)
  // a picture that cannot be read is printed as its name
  await Promise.allSettled(Array.from(body.querySelectorAll('img'), (picture) => picture.decode()))
  addEventListener('afterprint', () => host.remove(), { once: true })
  print()
}

/** The export's own style: the page's rules would make an interface of it. */
function sheetOf(rules: string): CSSStyleSheet {
  const sheet = new CSSStyleSheet()
  sheet.replaceSync(rules.replaceAll(':root{', ':host{').replaceAll(/^body\{/gm, '.body{'))
  return sheet
}
