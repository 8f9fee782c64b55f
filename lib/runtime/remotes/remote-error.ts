import { named } from '@/lib/events'

/** Why another server is of no use. */
export type RemoteTrouble =
  | 'remote_unreachable'
  | 'remote_answer'
  | 'remote_older'
  | 'remote_newer'
  | 'remote_refused'
  | 'remote_lacks'
  | 'key_refused'
  | 'address_refused'
  | 'remote_is_this'
  | 'not_fast_forward'
  | 'diverged_objects'

/** Another server could not be asked, or has refused; the message is for the person. */
export class RemoteError extends named('RemoteError') {
  constructor(
    readonly code: RemoteTrouble,
    message: string,
  ) {
    super(message)
  }
}
