/** The promises of a store and of the engine, as suites for Vitest: the package has them as `@ramify/context/testing`. */
export { describeEngineContract } from './engine-contract'
export { describeStoreContract, type OpenedStore } from './store-contract'
