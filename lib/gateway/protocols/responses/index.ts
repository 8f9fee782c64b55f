import type { Protocol } from '../protocol'
import { openAIRefusal } from '../shared/openai'
import { readCall } from './read-call'
import { collect, readReply } from './read-reply'
import { writer } from './write-call'
import { writeReply, writeStream } from './write-reply'

/** OpenAI's responses. */
export const responses: Protocol = {
  name: 'responses',
  readCall,
  writer,
  readReply,
  collect,
  writeReply,
  writeStream,
  writeRefusal: openAIRefusal,
}
