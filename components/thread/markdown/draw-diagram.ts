import type { MermaidConfig } from 'mermaid'
import { withoutCode } from '@/components/app/new-version'
import { shared } from '@/components/app/shared'

/** A diagram as a picture. As an image it can load nothing and run nothing, whatever its source says. */
export interface Picture {
  url: string
  width: number
  height: number
}

/**
 * Fetched with the first diagram. The code that cleans Mermaid's markup keeps the parser it finds when it is loaded.
 * This parser gives style sheets the page's nonce, since the content security policy holds for markup that is never
 * shown, too.
 */
const loadMermaid = shared(async () => {
  const { DOMParser: Parser } = window
  const nonce = document.querySelector<HTMLElement>('script[nonce]')?.nonce
  class NoncedParser extends Parser {
    override parseFromString(markup: string, type: DOMParserSupportedType): Document {
      // it may come as trusted markup, which is an object
      const text = String(markup)
      return super.parseFromString(nonce ? text.replace(/<style\b/g, `<style nonce="${nonce}"`) : text, type)
    }
  }
  window.DOMParser = NoncedParser
  try {
    return { mermaid: (await import('mermaid').catch(withoutCode)).default, parser: new NoncedParser() }
  } finally {
    window.DOMParser = Parser
  }
})

/** Limits of a diagram that is drawn without being asked for: a larger one could hold up the page. */
const most = { length: 4000, lines: 120 }

export const isLarge = (source: string): boolean =>
  source.length > most.length || source.split('\n').length > most.lines

/** The pictures of this page, and null for a source that is no diagram: a message drawn anew has its picture at once. */
const pictures = new Map<string, Picture | null>()
const kept = 60

const keyOf = (source: string): string => `${document.documentElement.dataset.theme}\n${source}`

/** The picture of a source in the theme of the page, as far as it is known. */
export const pictureOf = (source: string): Picture | null | undefined => pictures.get(keyOf(source))

/** Draws a source in the colours of the page; null where it is no diagram. Rejects when Mermaid cannot be fetched. */
export async function drawDiagram(source: string): Promise<Picture | null> {
  const key = keyOf(source)
  const known = pictures.get(key)
  if (known !== undefined) return known
  const { mermaid, parser } = await loadMermaid()
  mermaid.initialize(configOf(getComputedStyle(document.documentElement)))
  const markup = await markupOf(mermaid, source)
  const picture = markup === null ? null : pictureFrom(parser.parseFromString(markup, 'text/html'))
  pictures.set(key, picture)
  for (const oldest of [...pictures.keys()].slice(0, Math.max(0, pictures.size - kept)))
    pictures.delete(oldest)
  return picture
}

/** The markup of a diagram; null where the source is none. */
async function markupOf(
  mermaid: Awaited<ReturnType<typeof loadMermaid>>['mermaid'],
  source: string,
): Promise<string | null> {
  // labels are measured on the page, out of sight
  const place = document.createElement('div')
  place.inert = true
  Object.assign(place.style, { position: 'fixed', left: '-9999px', top: '0', width: '720px' })
  document.body.append(place)
  try {
    return (await mermaid.render(`diagram-${++drawn}`, source, place)).svg
  } catch {
    // its source says more than Mermaid's error
    return null
  } finally {
    place.remove()
  }
}

/** Their names on the page. */
let drawn = 0

/** A picture with a size of its own, from markup that leaves the size to the page. */
function pictureFrom(markup: Document): Picture | null {
  const svg = markup.querySelector('svg')
  const [, , width = 0, height = 0] = (svg?.getAttribute('viewBox') ?? '').split(/[\s,]+/).map(Number)
  if (!svg || !(width > 0) || !(height > 0)) return null
  svg.setAttribute('width', String(width))
  svg.setAttribute('height', String(height))
  svg.style.maxWidth = ''
  const text = new XMLSerializer().serializeToString(svg)
  return { url: `data:image/svg+xml;charset=utf-8,${encodeURIComponent(text)}`, width, height }
}

/** Only what a picture can show, in the page's colours. A directive in a source changes none of it. */
function configOf(page: CSSStyleDeclaration): MermaidConfig {
  const colour = (name: string) => page.getPropertyValue(`--${name}`).trim()
  const [ink, muted, line, surface, raised] = ['ink', 'muted', 'faint', 'surface', 'raised'].map(colour)
  const config = {
    securityLevel: 'strict',
    startOnLoad: false,
    suppressErrorRendering: true,
    // an image has no fonts of the page
    fontFamily: 'ui-sans-serif, system-ui, sans-serif',
    htmlLabels: false,
    flowchart: { htmlLabels: false },
    look: 'classic',
    theme: 'base',
    darkMode: document.documentElement.dataset.theme === 'dark',
    themeVariables: {
      fontFamily: 'ui-sans-serif, system-ui, sans-serif',
      fontSize: '14px',
      background: colour('canvas'),
      primaryColor: surface,
      primaryTextColor: ink,
      primaryBorderColor: line,
      secondaryColor: raised,
      tertiaryColor: surface,
      lineColor: muted,
      textColor: ink,
      noteBkgColor: colour('warn-soft'),
      noteTextColor: ink,
      noteBorderColor: line,
      edgeLabelBackground: colour('canvas'),
      errorBkgColor: surface,
      errorTextColor: ink,
    },
  } satisfies MermaidConfig
  return { ...config, secure: [...Object.keys(config), 'secure', 'maxTextSize', 'maxEdges', 'themeCSS'] }
}
