import 'server-only'
import { z } from 'zod'

const email = z.email().max(254)
const password = z.string().min(1).max(128)

/** Fields that are not named here do not reach the identity service. */
export const signInRequest = z.object({ email, password, rememberMe: z.boolean().optional() })

export const signUpRequest = z.object({
  email,
  password: z.string().max(1000).meta({ description: '10 to 128 characters, and not easy to guess' }),
  name: z.string().trim().max(100),
})

export const signOutEverywhereRequest = z.object({
  keep_this: z.boolean().default(false).meta({ description: 'Whether the session that asks for it stays' }),
})
