import 'server-only'
import { createHash } from 'node:crypto'
import { ImageResponse } from 'next/og'
import { drawShare, type SharePicture } from '@/lib/conversations'
import type { Services } from '@/lib/runtime'
import { sharingPorts } from '../api/shares'
import { Turnstile } from '../http/pace'
import { forReaders } from './shared-chat'

const size = { width: 1200, height: 630 }
/** The part of the picture that the graph has. */
const plot = { x: 620, y: 70, width: 520, height: 490 }
/** Colours of the light theme (globals.css). */
const colors = {
  canvas: '#fbfaf8',
  ink: '#1f1d1a',
  muted: '#57524b',
  faint: '#6b655d',
  line: '#e3dfd8',
  accent: '#1d6b4e',
  lanes: ['#2b5bb7', '#ab5004', '#a56abc', '#737373', '#993191', '#3c8bdd', '#4a4955', '#908b4c'],
}

/** Pictures of this process by content; the oldest are forgotten. */
const drawn = new Map<string, ArrayBuffer>()
const MOST = 100
/** Drawing one takes all of a processor. */
const drawing = new Turnstile(1)

/**
 * `GET /s/{token}/opengraph-image`: a shared chat as a picture, for previews: its title, and its graph as
 * lanes. It is drawn once for each state of its content, and shows nothing that the link does not open.
 */
export const shareImage = (request: Request, { params }: { params: Promise<{ token: string }> }) =>
  forReaders(request, async (services: Services) => {
    const { token } = await params
    const picture = await drawShare(sharingPorts(services, services.ports), token)
    const png = await pngOf(picture)
    return new Response(png, {
      headers: {
        'content-type': 'image/png',
        // a link that is revoked is not shown for long
        'cache-control': 'private, max-age=300',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'cross-origin',
      },
    })
  })

async function pngOf(picture: SharePicture): Promise<ArrayBuffer> {
  const key = createHash('sha256').update(JSON.stringify(picture)).digest('base64')
  const known = drawn.get(key)
  if (known) return known
  const png = await drawing.pass('picture', () => new ImageResponse(face(picture), size).arrayBuffer())
  drawn.set(key, png)
  for (const oldest of drawn.keys()) {
    if (drawn.size <= MOST) break
    drawn.delete(oldest)
  }
  return png
}

function face(picture: SharePicture) {
  const { title, lines } = picture
  return (
    <div
      style={{
        display: 'flex',
        width: '100%',
        height: '100%',
        padding: 70,
        backgroundColor: colors.canvas,
        color: colors.ink,
        position: 'relative',
      }}
    >
      <svg
        role="presentation"
        width={size.width}
        height={size.height}
        viewBox={`0 0 ${size.width} ${size.height}`}
        style={{ position: 'absolute', left: 0, top: 0 }}
      >
        {lanesOf(picture)}
      </svg>
      <div style={{ display: 'flex', flexDirection: 'column', width: 500, height: '100%' }}>
        <div style={{ display: 'flex', alignItems: 'center', fontSize: 30, color: colors.accent }}>
          Ramify
        </div>
        <div
          style={{
            display: 'block',
            lineClamp: 5,
            marginTop: 50,
            fontSize: titleSize(title),
            lineHeight: 1.2,
            letterSpacing: '-0.02em',
          }}
        >
          {drawable(title) || 'A conversation'}
        </div>
        <div style={{ display: 'flex', flexDirection: 'column', marginTop: 'auto', fontSize: 28 }}>
          {lines.map((line) => (
            <div key={line} style={{ display: 'flex', color: colors.muted, marginTop: 8 }}>
              {drawable(line)}
            </div>
          ))}
        </div>
      </div>
    </div>
  )
}

const titleSize = (title: string): number => (title.length > 80 ? 44 : title.length > 40 ? 54 : 64)

/** Letters that the picture's font (Geist, in next/og) lacks: it has Latin, Vietnamese and Cyrillic ones. */
const lacking =
  /[^\u0020-\u007e\u00a0-\u00ac\u00ae-\u0113\u0116-\u012b\u012e-\u0137\u0139-\u013e\u0141-\u0148\u014a-\u014d\u0150-\u017e\u01a0\u01a1\u01af\u01b0\u0218-\u021b\u0400-\u045f\u0490-\u0493\u1ea0-\u1ef9\u2013\u2014\u2018-\u201a\u201c-\u201e\u2020-\u2022\u2026\u20ac\u20b4\u20bd\u2116\u2190-\u2193\u2212]+/g

/** The letters that can be drawn. For any other the renderer would ask another site for a font, or for the picture of an emoji. */
function drawable(text: string): string {
  const kept = text.normalize('NFC').replace(lacking, ' ').trim()
  // a title in another script would lose all but its signs
  return /\p{L}/u.test(kept) ? kept.replace(/\s+/g, ' ') : ''
}

/** The lanes of the graph, as lines with a dot for each message where there is room. */
function lanesOf({ lanes, columns, rows, dots }: SharePicture) {
  const column = Math.min(56, plot.width / Math.max(1, columns - 1))
  const row = Math.min(48, plot.height / Math.max(1, rows - 1))
  const left = plot.x + (plot.width - column * (columns - 1)) / 2
  const top = plot.y + (plot.height - row * (rows - 1)) / 2
  const x = (at: number) => (left + at * column).toFixed(1)
  const y = (at: number) => (top + at * row).toFixed(1)
  const width = lanes.length > 24 ? 3 : 5
  return [
    ...lanes.map(({ hue, at, from, to, leaves }) => {
      const begins = leaves
        ? `M${x(leaves.column)} ${y(leaves.row)}C${x(leaves.column)} ${y(leaves.row + 0.7)} ${x(at)} ${y(from - 0.7)} ${x(at)} ${y(from)}`
        : `M${x(at)} ${y(from)}`
      return (
        <path
          key={`lane ${at}`}
          d={`${begins}L${x(at)} ${y(Math.max(to, from + 0.01))}`}
          fill="none"
          stroke={colors.lanes[hue]}
          strokeWidth={width}
          strokeLinecap="round"
        />
      )
    }),
    ...dots.map(({ hue, at, row: depth, isPerson }) => (
      <circle
        key={`dot ${at} ${depth}`}
        cx={x(at)}
        cy={y(depth)}
        r={isPerson ? 9 : 8}
        fill={isPerson ? colors.canvas : colors.lanes[hue]}
        stroke={colors.lanes[hue]}
        strokeWidth={isPerson ? 4 : 0}
      />
    )),
  ]
}
