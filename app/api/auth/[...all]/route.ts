import { handleAuth } from '@/lib/server/auth-route'

export const GET = handleAuth
export const POST = handleAuth
