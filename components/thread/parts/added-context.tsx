import { Layers } from 'lucide-react'
import { contextLine } from '@/components/session/context-line'
import { blockName } from '@/lib/events/said-words'
import { typeIn } from '@/lib/events/tool-text'
import { Fold } from './fold'
import { RawValue } from './raw-value'

interface AddedContextProps {
  /** names it on the page */
  id: string
  added: readonly unknown[]
}

/** Shows context that an agent has added to a person's words, or between messages: one quiet line that opens. */
export function AddedContext({ id, added }: AddedContextProps) {
  return (
    <Fold id={id} plain Icon={Layers} label={<span className="text-faint">{contextLine(added)}</span>}>
      {() => (
        <div className="flex flex-col gap-2">
          {added.map((each, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a part is its place
            <RawValue key={at} title={nameOf(each)} value={each} />
          ))}
        </div>
      )}
    </Fold>
  )
}

const nameOf = (added: unknown): string =>
  (typeof added === 'string' ? blockName(added) : typeIn(added)?.replaceAll('_', ' ')) ?? 'Context'
