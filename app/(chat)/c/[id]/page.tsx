import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { titleOf } from '@/components/app/listed'
import { chatView } from '@/lib/server/pages/pages'
import { OpenedChat } from './opened-chat'

interface Props {
  params: Promise<{ id: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

const first = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value)

export async function generateMetadata({ params, searchParams }: Props): Promise<Metadata> {
  const view = await chatView((await params).id, first((await searchParams).branch))
  return { title: view ? titleOf(view.graph) : 'Not found' }
}

/** `/c/{id}?branch=`: thread and graph of one chat, in one load. */
export default async function ChatPage({ params, searchParams }: Props) {
  const { id } = await params
  const view = await chatView(id, first((await searchParams).branch))
  if (!view) notFound()
  return <OpenedChat key={id} view={view} isNew={false} />
}
