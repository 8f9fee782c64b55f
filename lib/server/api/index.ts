import 'server-only'
import * as access from './access'
import * as accounts from './accounts'
import * as chatDefaults from './chat-defaults'
import * as chatList from './chat-list'
import * as chats from './chats'
import * as commands from './commands'
import * as presets from './context-presets'
import * as contexts from './contexts'

import * as exporting from './exports'
import * as files from './files'
import * as gateway from './gateway'
import * as imports from './imports'
import * as keys from './keys'
import * as models from './models'
import * as oauth from './oauth'
import type { Operation } from './operation'
import * as operations from './operations'
import { readPrompt } from './prompts'
import * as providerKeys from './provider-keys'
import * as exchanges from './remotes/exchanges'
import * as members from './remotes/members'
import * as packs from './remotes/packs'
import * as proposals from './remotes/proposals'
import * as remotes from './remotes/remotes'
import * as shares from './shares'
import { steerAgent } from './steering'
import * as threads from './threads'
import * as tools from './tools'
import { takeTurn } from './turn'
import * as usage from './usage'
import * as bisects from './verbs/bisects'
import * as fanning from './verbs/fan-out'
import * as merges from './verbs/merges'
import * as moves from './verbs/moves'
import * as replays from './verbs/replays'
import * as undoing from './verbs/undo'

/** Every operation of the API, in the order of the page. */
export const allOperations: readonly Operation[] = [
  ...[access.signInAsGuest, access.signUp, access.signIn, access.signOut, access.signOutEverywhere],
  ...[access.askForReset, access.resetPassword, access.changePassword, access.changeEmail],
  ...[access.confirmEmail, access.deleteAccount],
  access.signInElsewhere,
  ...[access.askForPasskey, access.signInWithPasskey, access.offerPasskey, access.addPasskey],
  ...[accounts.readAccount, accounts.changeAccount, accounts.listSessions, accounts.endSession],
  ...[accounts.renamePasskey, accounts.removePasskey],
  ...[access.getSession, keys.createKey, keys.listKeys, keys.revokeKey],
  ...[oauth.registerClient, oauth.issueTokens, oauth.revokeTokens],
  ...[oauth.connectApp, oauth.listApps, oauth.disconnectApp],
  ...[commands.createThread, commands.sendMessage, commands.forkThread],
  ...[moves.switchThread, moves.rewindThread, moves.renameThread, moves.archiveThread],
  ...[moves.unarchiveThread, moves.saveCheckpoint, moves.removeCheckpoint, moves.restoreCheckpoint],
  moves.leaveOut,
  ...[merges.cherryPick, merges.previewMerge, merges.mergeThreads],
  ...[merges.previewSummary, merges.compactThread],
  ...[fanning.fanOut, fanning.keepThread, replays.replayThread],
  ...[undoing.undo, undoing.redo],
  ...[threads.listThreads, threads.readMessages, threads.readEvents, threads.listBranches, threads.readHead],
  ...[chatList.listChats, chatList.readChat, chatList.changeChat, chatList.changeChats, chatList.deleteChats],
  chatList.listTags,
  ...[
    takeTurn,
    chats.followReply,
    chats.followReplies,
    chats.stopReply,
    chats.readGraph,
    chats.readHistory,
    chats.listMoves,
    chats.listChatMessages,
    readPrompt,
    contexts.readContext,
    contexts.listContexts,
    contexts.changeContext,
    steerAgent,
    usage.readChatUsage,
    replays.listReplays,
    replays.previewReplay,
    replays.steerReplay,
    bisects.startBisect,
    bisects.listBisects,
    bisects.steerBisect,
  ],
  ...[packs.readRefs, packs.fetchPack, packs.pushPack],
  ...[chatDefaults.readChatDefaults, chatDefaults.changeChatDefaults],
  ...[presets.listPresets, presets.createPreset, presets.changePreset, presets.removePreset],
  ...[chats.watchChat, chats.search],
  ...[shares.createShare, shares.listShares, shares.revokeShare, shares.copyShare],
  ...[members.listMembers, members.inviteMember, members.changeMemberRole, members.removeMember],
  ...[members.readInvitation, members.takeInvitation, members.listSharedChats, members.copyChat],
  ...[proposals.openProposal, proposals.listProposals, proposals.updateProposal],
  ...[proposals.commentOnProposal, proposals.takeProposal, proposals.declineProposal],
  ...[files.uploadFile, files.readFile],
  ...[
    imports.importFile,
    imports.previewFile,
    imports.listFileImports,
    imports.readFileImport,
    imports.cancelFileImport,
  ],
  imports.importAgentSessions,
  ...[exporting.exportChat, exporting.exportAll],
  ...[models.listModels, usage.readUsage, providerKeys.listProviderKeys, providerKeys.saveProviderKey],
  ...[providerKeys.testProviderKey, providerKeys.removeProviderKey],
  ...[gateway.completeChat, gateway.createResponse, gateway.createMessage, gateway.countMessageTokens],
  ...[gateway.listAgentModels, gateway.readAgentModel],
  ...[tools.listTools, tools.listToolServers, tools.addToolServer, tools.removeToolServer],
  ...[remotes.listRemotes, remotes.addRemote, remotes.removeRemote, remotes.aboutExchange],
  ...[exchanges.fetchRemote, exchanges.pullRemote, exchanges.pushRemote, exchanges.cloneRemote],
  exchanges.readRemoteState,
  ...[operations.checkHealth, operations.doWork, operations.doWorkByPost, operations.describeApi],
]
