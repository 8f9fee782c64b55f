import { MissingPage } from '@/components/app/no-chat'

export default function NotFound() {
  return <MissingPage />
}
