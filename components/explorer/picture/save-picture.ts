import type { Size } from '../model/geometry'
import type { GraphModel } from '../model/graph-model'
import type { Measure } from './fit-text'
import { colorNames, fonts, type PictureColors, pictureSvg } from './picture-svg'

export type PictureKind = 'svg' | 'png'

/** The limits of a canvas in browsers: its longest side, and its pixels in all. */
const longestSide = 16_384
const mostPixels = 100_000_000

const when = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/**
 * Saves the whole drawing as a file, in the colours of the theme; a PNG at twice its size, or as large as a browser
 * can draw. Rejects when the browser cannot draw it at all.
 *
 * @param at time of the chat in the picture, in milliseconds since 1970; null for now
 */
export async function savePicture(kind: PictureKind, model: GraphModel, at: number | null): Promise<void> {
  const title = model.index.graph.title ?? 'Chat'
  const said = captionOf(at, Date.now())
  const { svg, size } = pictureSvg({ model, title, said, colors: colorsOfTheme(), measure: measureHere() })
  const file = new Blob([svg], { type: 'image/svg+xml' })
  download(kind === 'svg' ? file : await toPng(file, size), `${fileName(title)}-graph.${kind}`)
}

/** The time that a picture shows, in words. */
export const captionOf = (at: number | null, now: number): string =>
  at === null ? when.format(now) : `As it was ${when.format(at)}`

/** A title as the beginning of a file name on any system. */
export const fileName = (title: string): string =>
  title
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-|-$/g, '')
    .slice(0, 60) || 'chat'

/** Scale of a picture: 2, or as much as a browser can draw. */
export const scaleFor = ({ width, height }: Size): number =>
  Math.min(2, longestSide / width, longestSide / height, Math.sqrt(mostPixels / (width * height)))

function colorsOfTheme(): PictureColors {
  const theme = getComputedStyle(document.documentElement)
  const entries = colorNames.map((name) => [name, theme.getPropertyValue(`--${name}`).trim()] as const)
  return Object.fromEntries(entries) as PictureColors
}

/** Letters are as wide as this browser draws them. */
function measureHere(): Measure {
  const context = document.createElement('canvas').getContext('2d')
  if (!context) throw new Error('This browser cannot measure text')
  return (text, fontSize, weight = 400) => {
    context.font = `${weight} ${fontSize}px ${fonts}`
    return context.measureText(text).width
  }
}

async function toPng(svg: Blob, size: Size): Promise<Blob> {
  const url = URL.createObjectURL(svg)
  try {
    const image = new Image()
    image.src = url
    await image.decode()
    const scale = scaleFor(size)
    const canvas = document.createElement('canvas')
    canvas.width = Math.max(1, Math.floor(size.width * scale))
    canvas.height = Math.max(1, Math.floor(size.height * scale))
    canvas.getContext('2d')?.drawImage(image, 0, 0, canvas.width, canvas.height)
    const png = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'))
    if (!png) throw new Error('The picture is too large to be drawn')
    return png
  } finally {
    URL.revokeObjectURL(url)
  }
}

function download(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // by then the browser has begun the download
  setTimeout(() => URL.revokeObjectURL(url))
}
