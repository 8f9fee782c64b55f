import { MissingPage } from '@/components/chat/missing-page'

export default function NotFound() {
  return <MissingPage />
}
