import { named } from '@/lib/context'

/** A pack that is damaged or contradicts itself; nothing of it was written. */
export class PackRefusedError extends named('PackRefusedError') {
  constructor(why: string) {
    super(`${why} Nothing was received.`)
  }
}

/** A message has another content on the other side; nothing was written. */
export class DivergedObjectsError extends named('DivergedObjectsError') {
  constructor(id: string) {
    super(
      `The message "${id}" has another content on the other server. A message never changes, so one of the two is damaged. Nothing was received.`,
    )
  }
}

/** Two chats have one id and are not copies of each other; nothing was written. */
export class OtherOriginError extends named('OtherOriginError') {
  constructor() {
    super(
      'The chat of this id on the other server is another one: neither is a clone of the other. Two chats are never united. Export one and import it under an id of its own.',
    )
  }
}

/** A branch cannot simply be moved on; nothing was written. */
export class NotFastForwardError extends named('NotFastForwardError') {
  constructor(readonly branch: string) {
    super(
      `The branch "${branch}" has messages there that you do not have here. Pull them first, then push again. Nothing was pushed.`,
    )
  }
}

/** A person has a chat of this id already, where a clone would be. */
export class ClonedAlreadyError extends named('ClonedAlreadyError') {
  constructor() {
    super('You have this chat here already. Pull what is new in it instead.')
  }
}
