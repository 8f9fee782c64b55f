import type { Metadata } from 'next'
import { AboutPage } from '@/components/settings/about-page'
import { readAbout } from '@/lib/server/pages/about'

export const metadata: Metadata = { title: 'About' }

/** `/settings/about`: which Ramify this is, and the licences of its parts. */
export default async function Page() {
  return <AboutPage {...(await readAbout())} />
}
