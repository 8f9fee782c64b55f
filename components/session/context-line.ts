import { counted } from '@/lib/events/counted'
import { contextWords } from '@/lib/graph'
import { sizeWords } from '@/lib/protocol/file-types'

/** `Context the agent added · 3 parts · 12 kB` */
export function contextLine(added: readonly unknown[]): string {
  const size = added.reduce<number>((sum, each) => sum + textOf(each).length, 0)
  return `${contextWords} · ${counted(added.length, 'part')} · ${sizeWords(size)}`
}

const textOf = (added: unknown): string => (typeof added === 'string' ? added : (JSON.stringify(added) ?? ''))
