import { Dev } from './dev'

export default async function Page({ searchParams }: { searchParams: Promise<Record<string, string>> }) {
  const { n = '40', kind = 'sample' } = await searchParams
  return <Dev n={Number(n)} kind={kind} />
}
