import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { titleOf } from '@/components/app/listed'
import { ComparePage } from '@/components/compare/compare-page'
import { comparisonView } from '@/lib/server/pages/pages'
import { rewind, undoMove } from '../actions'

interface Props {
  params: Promise<{ id: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

const first = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value)

async function read({ params, searchParams }: Props) {
  const [{ id }, { left, right }] = await Promise.all([params, searchParams])
  return comparisonView(id, first(left), first(right))
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const view = await read(props)
  if (!view) return { title: 'Not found' }
  const { left, right, title } = view
  return {
    title: `${left.branch.name}${right ? ` and ${right.branch.name}` : ''} · ${titleOf({ title })}`,
  }
}

/** `/c/{id}/compare?left=&right=`: two branches of one chat side by side, in one load. */
export default async function ComparisonPage(props: Props) {
  const view = await read(props)
  if (!view) notFound()
  return <ComparePage comparison={view} actions={{ rewind, undoMove }} />
}
