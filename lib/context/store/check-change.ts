import type { AppendMessages, Change, NewMessage, Step } from './change'
import { InvalidDataError, MessageExistsError } from './errors'

/** The limits that the database has too, in characters (DESIGN.md §6). */
const MAX_ID = 128
const MAX_NAME = 200
const MAX_PREVIEW = 160
/** Event numbers are stored in 32 bits. */
const MAX_NUMBER = 2 ** 31 - 1

/**
 * Throws `InvalidDataError` for a change no store would keep as it is: ids and message names that are empty or
 * longer than 128 characters, names of branches and checkpoints longer than 200, a branch with the id of its chat, an
 * event number that is not a whole number from 1 on, an append without messages, a message without data, and all that
 * `checkData` refuses;
 * `MessageExistsError` for an id twice in one append. Every store calls it before it writes anything.
 *
 * @param change looked at, never altered
 */
export function checkChange(change: Change): void {
  checkData(change.chatId)
  const { create } = change
  if (create) {
    checkLength('A chat id', change.chatId, MAX_ID)
    checkBranchId(change, create.branchId)
    if (create.branchName !== undefined) checkLength('A branch name', create.branchName, MAX_NAME)
    checkDate(create.at)
    checkData([create.userId, create.title])
    checkData(create.metadata)
  }
  for (const context of change.contexts ?? []) {
    checkData(context.fragments)
    checkData(context.setup)
    checkData([context.id, context.model])
  }
  for (const step of change.steps) checkStep(change, step)
}

function checkStep(change: Change, step: Step): void {
  checkDate(step.dated)
  switch (step.kind) {
    case 'append':
      if (step.messages.length === 0) throw new InvalidDataError('There is no message to append')
      checkData([step.branchId, step.expectedHead, step.contextId])
      if (step.orBranchId !== undefined) checkBranchId(change, step.orBranchId)
      for (const message of step.messages) checkMessage(message)
      checkRepeats(step)
      return
    case 'open-branch':
      checkBranchId(change, step.branchId)
      if (step.name !== undefined) checkLength('A branch name', step.name, MAX_NAME)
      if (step.fork && 'threadId' in step.fork) checkEventNumber(step.fork.eventNumber)
      checkData(step)
      return
    case 'rename-branch':
      checkLength('A branch name', step.name, MAX_NAME)
      checkData(step)
      return
    case 'title-branch':
      checkLength('A branch title', step.title, MAX_NAME)
      checkData(step)
      return
    case 'save-checkpoint':
      checkLength('A checkpoint name', step.name, MAX_NAME)
      checkData(step)
      return
    case 'update-chat':
      checkData([step.title, step.instead])
      checkData(step.metadata)
      return
    default:
      checkData(step)
  }
}

/** A thread's events are numbered by its branch's id and the chat's own by the chat's: one id for both would mix them. */
function checkBranchId(change: Change, branchId: string): void {
  checkLength('A branch id', branchId, MAX_ID)
  if (branchId === change.chatId) throw new InvalidDataError('A branch must not have the id of its chat')
}

/** Range of both a date and the database: the years 1 to 9999. */
function checkDate(value: number | undefined): void {
  if (value === undefined) return
  if (!Number.isInteger(value) || value < -62_135_596_800_000 || value > 253_402_300_799_999) {
    throw new InvalidDataError('A date must be in the years 1 to 9999, in whole milliseconds')
  }
}

function checkEventNumber(value: number): void {
  if (!Number.isInteger(value) || value < 1 || value > MAX_NUMBER) {
    throw new InvalidDataError('An event number must be a whole number, 1 or more')
  }
}

/** Said here, because the database would call a repeated id its own parent. */
function checkRepeats(step: AppendMessages): void {
  const seen = new Set([step.expectedHead])
  for (const { id } of step.messages) {
    if (seen.has(id)) throw new MessageExistsError(id)
    seen.add(id)
  }
}

function checkMessage(message: NewMessage): void {
  checkLength('A message id', message.id, MAX_ID)
  checkLength('A message name', message.name, MAX_ID)
  if (countCharacters(message.preview) > MAX_PREVIEW) {
    throw new InvalidDataError(`A preview must not be longer than ${MAX_PREVIEW} characters`)
  }
  checkDate(message.dated)
  const { data, ...rest } = message
  checkData(rest)
  // JSON null becomes SQL NULL on its way in, and a message without data says nothing.
  if (data === undefined || data === null) throw new InvalidDataError('A message must have data')
  checkData(data)
}

function checkLength(what: string, value: string, max: number): void {
  checkData(value)
  const count = countCharacters(value)
  if (count < 1 || count > max) throw new InvalidDataError(`${what} must have 1 to ${max} characters`)
}

/** Counts as Postgres does: by code point. */
const countCharacters = (text: string): number => [...text].length

/** JSON nested deeper than this is refused before it reaches SQL (RELIABILITY.md, fault 3). */
const MAX_DEPTH = 64

/**
 * Throws `InvalidDataError` for a value that Postgres would refuse or keep differently: text with NUL or a
 * lone surrogate, nesting beyond 64 levels (a cycle has no end), a bigint, a function, a promise.
 */
export function checkData(value: unknown, depth = 0): void {
  if (typeof value === 'string') {
    if (value.includes('\0')) throw new InvalidDataError('Text must not contain the NUL character')
    if (!value.isWellFormed())
      throw new InvalidDataError('Text must be valid Unicode: it has a lone surrogate')
    return
  }
  if (typeof value === 'function') throw new InvalidDataError('Data must be JSON: it has a function')
  if (value instanceof Promise) throw new InvalidDataError('Data must be JSON: it has a promise')
  if (typeof value === 'bigint') throw new InvalidDataError('Data must be JSON: it has a bigint')
  if (typeof value !== 'object' || value === null) return
  if (depth >= MAX_DEPTH)
    throw new InvalidDataError(`Data must not be nested deeper than ${MAX_DEPTH} levels`)
  for (const [key, child] of Object.entries(value)) {
    checkData(key, depth + 1)
    checkData(child, depth + 1)
  }
}
