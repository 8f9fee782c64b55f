import 'server-only'
import * as access from './access'
import * as chats from './chats'
import * as commands from './commands'
import * as presets from './context-presets'
import * as contexts from './contexts'
import * as files from './files'
import * as keys from './keys'
import * as models from './models'
import type { Operation } from './operation'
import * as operations from './operations'
import { readPrompt } from './prompts'
import * as providerKeys from './provider-keys'
import * as threads from './threads'
import * as tools from './tools'
import { takeTurn } from './turn'
import * as usage from './usage'

/** Every operation of the API but its own description, in the order of the page. */
export const allOperations: readonly Operation[] = [
  ...[access.signInAsGuest, access.signUp, access.signIn, access.signOut, access.signOutEverywhere],
  ...[access.getSession, keys.createKey, keys.listKeys, keys.revokeKey],
  ...[commands.createThread, commands.sendMessage, commands.forkThread],
  ...[threads.listThreads, threads.readMessages, threads.readEvents, threads.listBranches, threads.readHead],
  ...[
    takeTurn,
    chats.followReply,
    chats.stopReply,
    chats.readGraph,
    chats.readHistory,
    chats.listChatMessages,
    readPrompt,
    contexts.readContext,
    contexts.changeContext,
    usage.readChatUsage,
  ],
  ...[presets.listPresets, presets.createPreset, presets.changePreset, presets.removePreset],
  ...[chats.watchChat, chats.search],
  ...[files.uploadFile, files.readFile],
  ...[models.listModels, usage.readUsage, providerKeys.listProviderKeys, providerKeys.saveProviderKey],
  ...[providerKeys.testProviderKey, providerKeys.removeProviderKey],
  ...[tools.listTools, tools.listToolServers, tools.addToolServer, tools.removeToolServer],
  ...[operations.checkHealth, operations.doWork, operations.doWorkByPost],
]
