import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { SharedPage } from '@/components/shared/shared-page'
import { metadataOfShare, sharedPage } from '@/lib/server/pages/shared-chat'

interface Props {
  params: Promise<{ token: string }>
  searchParams: Promise<Record<string, string | string[] | undefined>>
}

const first = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value) || undefined

async function pageOf({ params, searchParams }: Props) {
  const [{ token }, { branch, at, part }] = await Promise.all([params, searchParams])
  const number = Number(first(part))
  const page = await sharedPage(token, first(branch), first(at), Number.isInteger(number) ? number : 1)
  return { token, page }
}

export async function generateMetadata(props: Props): Promise<Metadata> {
  const { token, page } = await pageOf(props)
  return metadataOfShare(token, page)
}

/** `/s/{token}?branch=&at=&part=`: what a link opens, to be read without an account. */
export default async function SharedChatPage(props: Props) {
  const { token, page } = await pageOf(props)
  if (!page) notFound()
  const { view, signedIn, ownChatId } = page
  return <SharedPage token={token} view={view} signedIn={signedIn} ownChatId={ownChatId} />
}
