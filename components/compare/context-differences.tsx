'use client'

import { ChevronRight } from 'lucide-react'
import { diffWords } from '@/lib/graph/diff/diff-words'
import type { Comparison, FragmentPair } from '@/lib/protocol'
import { useApp } from '../app/app-context'
import { cn } from '../ui/cn'
import { MarkedText } from './marked-body'
import { sideStyle, type Which } from './sides'

interface ContextDifferencesProps {
  comparison: Comparison
  shown: Which
}

/** Differences between the contexts of the two sides: fragments, memories, model, tools and settings. */
export function ContextDifferences({ comparison, shown }: ContextDifferencesProps) {
  const { models } = useApp()
  const { differing, memories, model, tools, settings } = comparison.context
  const nameOf = (id: string | null) => models.find((known) => known.id === id)?.label ?? id
  const parts = [
    { what: 'Fragments', one: 'fragment', pairs: differing },
    { what: 'Memories', one: 'memory', pairs: memories },
    {
      what: 'Model',
      one: 'model',
      pairs: model ? [{ name: 'Answers', left: nameOf(model.left), right: nameOf(model.right) }] : [],
    },
    { what: 'Tools', one: 'tool', pairs: tools },
    { what: 'Settings', one: 'setting', pairs: settings },
  ].filter(({ pairs }) => pairs.length > 0)
  if (parts.length === 0) return <p className="px-4 text-faint text-xs">Both have the same context.</p>
  const counts = parts.map(({ what, one, pairs: { length } }) =>
    what === 'Model' ? 'the model' : `${length} ${length === 1 ? one : what.toLowerCase()}`,
  )
  return (
    <details className="group/context w-full">
      <summary className="mx-auto flex min-h-8 w-fit cursor-pointer list-none items-center gap-1.5 rounded-md px-2 text-muted text-sm hover:bg-ink/6 hover:text-ink [&::-webkit-details-marker]:hidden">
        <ChevronRight
          size={14}
          aria-hidden
          className="shrink-0 transition-transform group-open/context:rotate-90 motion-reduce:transition-none"
        />
        The context differs in {inWords.format(counts)}
      </summary>
      {parts.map(({ what, pairs }) => (
        <section key={what} aria-label={what} className="mt-2 mb-3">
          <h3 className="px-3 pb-1 font-medium text-muted text-xs md:px-5">{what}</h3>
          <ul className="border-line border-y">
            {pairs.map((pair, at) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: fragments have no identity
              <li key={at} className="border-line border-t first:border-t-0">
                <Fragment pair={pair} comparison={comparison} shown={shown} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </details>
  )
}

const inWords = new Intl.ListFormat('en')

function Fragment({ pair, comparison, shown }: ContextDifferencesProps & { pair: FragmentPair }) {
  const { left, right } = comparison
  const diff = pair.left !== null && pair.right !== null ? diffWords(pair.left, pair.right) : null
  return (
    <div className="grid md:grid-cols-2">
      {(['left', 'right'] as const).map((which) => {
        const side = which === 'left' ? left : right
        const text = pair[which]
        return (
          <div
            key={which}
            style={side ? sideStyle(side) : undefined}
            className={cn(
              'min-w-0 px-3 py-2 md:px-5',
              which === 'left' && 'md:border-line md:border-r',
              which !== shown && 'max-md:hidden',
            )}
          >
            <p className="text-faint text-xs">{pair.name}</p>
            {text === null ? (
              <p className="text-faint text-sm">not here</p>
            ) : (
              <div className="text-sm [&>.reading]:text-sm">
                <MarkedText
                  text={text}
                  tag={which === 'left' ? 'del' : 'ins'}
                  ranges={diff?.kind === 'changed' ? diff[which] : []}
                />
              </div>
            )}
          </div>
        )
      })}
    </div>
  )
}
