export type { Difference } from './compare-refs'
export { type RebuildOptions, type Rebuilt, rebuild } from './rebuild'
