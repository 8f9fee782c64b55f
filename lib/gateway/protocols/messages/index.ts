import type { Protocol } from '../protocol'
import { readCall } from './read-call'
import { collect, readReply } from './read-reply'
import { writer } from './write-call'
import { anthropicRefusal, writeReply, writeStream } from './write-reply'

/** Anthropic's messages. */
export const messages: Protocol = {
  name: 'messages',
  readCall,
  writer,
  readReply,
  collect,
  writeReply,
  writeStream,
  writeRefusal: anthropicRefusal,
}
