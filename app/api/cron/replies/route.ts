import { workOnce } from '@/lib/server/api/cron'

/** Generating may take as long as the model takes; hosts with a limit cut here. */
export const maxDuration = 300

export const dynamic = 'force-dynamic'

/** `GET` because that is what hosts' schedulers send; nothing a browser sends by itself carries the secret. */
export const GET = workOnce
export const POST = workOnce
