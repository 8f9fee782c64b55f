/**
 * The chain of a conversation as hashes: a message is named by everything that was said up to it, so that what an agent sends
 * again with every call is found where it is stored. System texts and tools are no part of it: they are the context of the
 * branch (`lib/conversations/gateway/call-context.ts`).
 */
export { addressOf, bytesOf, canonicalMessage, contentOf } from './canonical'
export {
  answersOf,
  callsIn,
  chainHash,
  chainHasher,
  chainHashes,
  conversationHash,
  itemHash,
  lastHash,
  linksOf,
  NO_CHAIN,
  pinHash,
  responseHash,
  threadHash,
} from './chain'
export { parsed } from './json'
