import type { Env } from './env'
import { logError } from './log'

/** A letter of the server to a person. Its text is plain, and its link stands on a line of its own. */
export interface Letter {
  to: string
  subject: string
  text: string
}

/**
 * The server's post office. With `SMTP_URL` a letter is sent by mail; without, as on a laptop, it is printed
 * in the process's output for the operator.
 */
export function openMail(env: Pick<Env, 'SMTP_URL' | 'RAMIFY_MAIL_FROM' | 'BETTER_AUTH_URL'>) {
  const { SMTP_URL } = env
  const isSent = SMTP_URL !== undefined
  return {
    /** true when letters reach people by mail */
    isSent,
    /** Sends a letter. Never rejects: a letter that cannot be sent is logged, without its text. */
    async send(letter: Letter): Promise<void> {
      if (SMTP_URL === undefined) {
        console.log(`[ramify] letter to ${letter.to}: ${letter.subject}\n${letter.text}`)
        return
      }
      try {
        const { createTransport } = await import('nodemailer')
        const transport = createTransport(SMTP_URL)
        await transport.sendMail({ from: senderOf(env), ...letter }).finally(() => transport.close())
      } catch (error) {
        logError('sending mail', error)
      }
    },
  }
}

function senderOf({ RAMIFY_MAIL_FROM, BETTER_AUTH_URL = '' }: Parameters<typeof openMail>[0]): string {
  return RAMIFY_MAIL_FROM ?? `Ramify <ramify@${new URL(BETTER_AUTH_URL).hostname}>`
}
