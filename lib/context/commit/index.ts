export { type Added, decideChange, type MadeChange, noRows, type Written } from './decide-change'
export { NotReadError, ReadMap } from './read-map'
export type * from './rows'
export {
  type ContextFacts,
  copySlice,
  type MessagePlace,
  type Needs,
  noNeeds,
  noSlice,
  placeOf,
  type Slice,
  sizeOfSlice,
  standKey,
  unreadSlice,
} from './slice'
