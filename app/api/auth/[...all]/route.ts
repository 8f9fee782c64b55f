import { handleAuth } from '@/lib/server/identity/auth-route'

export const GET = handleAuth
export const POST = handleAuth
export const PUT = handleAuth
export const PATCH = handleAuth
export const DELETE = handleAuth
