import 'server-only'
import { after } from 'next/server'
import type { Letter, Services } from '@/lib/runtime'

/** Sends a letter, without letting an answer wait for it: its duration would tell that there is one. */
export function postLetter({ mail }: Pick<Services, 'mail'>, letter: Letter): void {
  const sent = mail.send(letter)
  // for a process that may sleep once it has answered
  if (process.env.VERCEL) after(() => sent)
}

const once = 'The link works once, for an hour, and no longer once your password or address changes.'

export const resetLetter = (to: string, link: string): Letter => ({
  to,
  subject: 'Set a new password for Ramify',
  text: `Set a new password here:\n\n${link}\n\n${once} A new password ends every session of your account and, unless you choose otherwise, its API keys, connected apps and passkeys. If you did not ask for it, do nothing: your password stays as it is.`,
})

export const newAddressLetter = (to: string, link: string): Letter => ({
  to,
  subject: 'Confirm your new address for Ramify',
  text: `Confirm that this is the address of your account from now on:\n\n${link}\n\n${once} If you did not ask for it, do nothing.`,
})

export const addressChangedLetter = (to: string, address: string): Letter => ({
  to,
  subject: 'Your address for Ramify has changed',
  text: `The address of your account is ${address} from now on. If you did not change it, set a new password at once, and write to the operator of this server.`,
})
