'use client'

import { useStore } from '@xyflow/react'
import type { DrawnItem, DrawnMessage } from '@/lib/graph'
import { speakerOf } from '@/lib/graph/speaker'
import type { GraphNode } from '@/lib/protocol'
import { type Box, onScreen } from '../model/geometry'
import { foldWords, previewOf } from '../model/words'

const width = 288
const gap = 8
const when = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })

/** The whole preview of an item, beside its card. Hidden from screen readers: it repeats the card's name. */
export function PreviewCard({ item, box }: { item: DrawnItem; box: Box }) {
  const [x, y, zoom] = useStore((state) => state.transform)
  const paneWidth = useStore((state) => state.width)
  const paneHeight = useStore((state) => state.height)
  const at = onScreen(box, { x, y, zoom })
  const fitsRight = at.x + at.width + gap + width <= paneWidth
  const left = fitsRight ? at.x + at.width + gap : Math.max(gap, Math.min(at.x, paneWidth - width - gap))
  const top = fitsRight ? at.y : at.y + at.height + gap
  return (
    <div
      aria-hidden
      style={{ left, width, ...(top < paneHeight * 0.7 ? { top } : { bottom: paneHeight - at.y + gap }) }}
      className="pointer-events-none absolute z-20 rounded-lg border bg-raised p-3 text-sm shadow-float"
    >
      {item.kind === 'message' ? <MessagePreview {...item} /> : <FoldPreview nodes={item.nodes} />}
    </div>
  )
}

function MessagePreview({ node, version, versions }: DrawnMessage) {
  return (
    <>
      <p className="mb-1 flex justify-between gap-2 text-muted text-xs">
        <span className="font-medium">{speakerOf(node.role)}</span>
        <span>{versions > 1 && `${version} / ${versions}`}</span>
      </p>
      <p className="[overflow-wrap:anywhere]">
        <bdi>{previewOf(node) || 'Writing…'}</bdi>
      </p>
      {node.status !== 'streaming' && (
        <p className="mt-2 text-faint text-xs">
          {when.format(node.createdAt)}
          {node.status === 'stopped' && ' · stopped before it was done'}
          {node.status === 'failed' && ' · the reply broke off'}
        </p>
      )}
    </>
  )
}

/** A folded stretch is previewed by its questions. */
function FoldPreview({ nodes }: { nodes: readonly GraphNode[] }) {
  const asked = nodes.filter(({ role }) => role === 'user')
  const shown = (asked.length > 0 ? asked : nodes).slice(0, 4)
  return (
    <>
      <p className="mb-1 font-medium text-muted text-xs">{foldWords(nodes)}</p>
      <ul className="flex flex-col gap-1">
        {shown.map((node) => (
          <li key={node.id} className="truncate">
            <bdi>{previewOf(node)}</bdi>
          </li>
        ))}
      </ul>
      {asked.length > shown.length && (
        <p className="mt-1 text-faint text-xs">and {asked.length - shown.length} more questions</p>
      )}
    </>
  )
}
