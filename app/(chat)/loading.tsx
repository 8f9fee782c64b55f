import { WorkspaceSkeleton } from '@/components/chat/workspace-skeleton'

export default function Loading() {
  return <WorkspaceSkeleton />
}
