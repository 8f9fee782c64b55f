import { MissingPage } from '@/components/frame/missing-page'

export default function NotFound() {
  return <MissingPage />
}
