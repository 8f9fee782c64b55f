import { cn } from '@/components/ui/cn'

/** Words of the server for a request that it refused; nothing while there are none. */
export const Refusal = ({ words, className }: { words: string | null; className?: string }) =>
  words !== null && (
    <p role="alert" className={cn('text-danger text-sm', className)}>
      {words}
    </p>
  )
