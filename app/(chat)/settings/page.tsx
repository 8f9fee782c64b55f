import { redirect } from 'next/navigation'
import { accountPath } from '@/components/app/paths'

/** `/settings` opens on the account. */
export default function Page() {
  redirect(accountPath)
}
