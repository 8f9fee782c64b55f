import { existsSync } from 'node:fs'
import path from 'node:path'

/** As much of `@deepagents/context` 0.29.1 as is measured; the package is optional. */
export interface Peer {
  PostgresContextStore: new (options: { pool: string; schema?: string }) => PeerStore
  ContextEngine: new (options: { store: PeerStore; chatId: string; userId: string }) => PeerEngine
  XmlRenderer: new () => object
  user: (message: object) => object
  assistant: (message: object) => object
}

export interface PeerStore {
  initialize(): Promise<void>
  close(): Promise<void>
  upsertChat(chat: { id: string; userId: string }): Promise<unknown>
  getGraph(chatId: string): Promise<{ nodes: unknown[] }>
  searchMessages(chatId: string, query: string, options: { limit: number }): Promise<unknown[]>
}

interface PeerEngine {
  set(...fragments: object[]): PeerEngine
  resolve(options: { renderer: object }): Promise<{ messages: unknown[] }>
  save(): Promise<unknown>
  rewind(messageId: string): Promise<{ id: string }>
}

const entry = path.join(import.meta.dirname, 'peers/node_modules/@deepagents/context/dist/index.js')

export const isPeerInstalled = (): boolean => existsSync(entry)

/** Loads the peer from bench/peers, where `npm ci` has put it. */
export const loadPeer = async (): Promise<Peer> => (await import(entry)) as Peer
