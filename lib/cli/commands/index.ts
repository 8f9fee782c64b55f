import type { Command } from '../command'
import { backup, restore } from './backup'
import { branch } from './branch'
import { chat } from './chat'
import { chats } from './chats'
import { checkout } from './checkout'
import { diff } from './diff'
import { exportCommand } from './export'
import { importCommand } from './import'
import { leaveOut } from './leave-out'
import { log } from './log'
import { merge } from './merge'
import { clone, fetchCommand, pull, push } from './remotes/exchange'
import { remote } from './remotes/remote'
import { status } from './remotes/status'
import { run } from './run'
import { show } from './show'
import { tag } from './tag'
import { redo, undo } from './undo'

/** Every command, in the order of the help and of docs/cli.md. */
export const commands: readonly Command[] = [
  ...[log, show, branch, checkout, diff, tag, merge, leaveOut, undo, redo],
  ...[status, remote, clone, fetchCommand, pull, push],
  ...[chat, chats, exportCommand, importCommand, run],
  ...[backup, restore],
]
